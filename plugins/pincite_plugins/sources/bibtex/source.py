"""The source: finds out what format a file is in, whatever its name says, and has it read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pincite.errors import UsageError, cannot_be
from pincite.markup.encoding import decode
from pincite.metadata.bibtex import Bibliography, read_bibtex
from pincite.values.library import Problem, Record
from pincite_plugins.sources.bibtex.csl_json import read_csl_json
from pincite_plugins.sources.bibtex.nbib import read_nbib
from pincite_plugins.sources.bibtex.ris import read_ris, read_web_of_science

_Read = Callable[[Path, str, Path | None], Bibliography]

_ENTRY = re.compile(r"^[ \t]*@[ \t]*\w+[ \t]*[{(]", re.MULTILINE)
_READERS: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (re.compile(r"^[ \t]*TY {1,2}- ", re.MULTILINE), read_ris),
    (re.compile(r"^PMID- ", re.MULTILINE), read_nbib),
    (re.compile(r"\A\s*(?:FN|VR|PT) \S"), read_web_of_science),
)


class BibliographySource:
    """A bibliography. `directory` is where relative paths of files begin, if the person says so."""

    def __init__(self, path: Path, directory: Path | None) -> None:
        self.path = path.absolute()
        self.directory = directory
        self.identity = f"bibtex:{self.path}"

    def records(self) -> Iterator[Record | Problem]:
        """What is wrong with the file, then every entry, by id."""
        found = self._read()
        yield from found.problems
        yield from sorted(found.records, key=lambda record: record.item.id)

    def watched(self) -> Sequence[Path]:
        """The file."""
        return (self.path,)

    def close(self) -> None:
        """Nothing stays open."""

    def _read(self) -> Bibliography:
        if self.path.suffix.lower() in (".enl", ".enw"):
            raise UsageError(
                f"{self.path}: EndNote's own format, which is not read; export the library as RIS or BibTeX"
            )
        try:
            text = decode(self.path.read_bytes())[0]
        except OSError as error:
            raise cannot_be("read", self.path, error) from None
        start = text.lstrip()[:2000]
        if not start:
            raise UsageError(f"{self.path}: the file is empty; export the library once more")
        if start[0] in "[{":
            return read_csl_json(self.path, text, self.directory)
        if start[0] == "<":
            what = "a Zotero RDF export" if "zotero.org/namespaces" in text[:5000] else "XML"
            raise UsageError(
                f"{self.path}: {what}, which is not read; export as BibTeX, RIS or CSL JSON, or give the Zotero data "
                "directory itself"
            )
        read = _reader(text)
        found = read(self.path, text, self.directory) if read else read_bibtex(self.path, self.directory)
        if not found.records and not found.problems:
            raise UsageError(f"{self.path}: no entries found; it should be BibTeX, RIS, NBIB or CSL JSON")
        return found


def _reader(text: str) -> _Read | None:
    """The reader of the format whose mark stands first (the mark of another may be quoted in an abstract); None for
    BibTeX."""
    entry = _ENTRY.search(text)
    found = [(entry.start() if entry else len(text), 0)]
    found += [(match.start(), at) for at, (pattern, _) in enumerate(_READERS, 1) if (match := pattern.search(text))]
    _, number = min(found)
    return _READERS[number - 1][1] if number else None
