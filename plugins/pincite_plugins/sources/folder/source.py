"""The source: one item a document, and one an entry of the folder's bibliography."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pincite.errors import PinciteError, UsageError
from pincite.values.library import Problem, Record
from pincite_plugins.sources.folder.described import Described, describe
from pincite_plugins.sources.folder.items import make_record
from pincite_plugins.sources.folder.walk import Document, document, printable, walk


class FolderSource:
    """A folder of documents, or one document."""

    def __init__(self, path: Path, suffixes: tuple[str, ...], bibliography: str, note: Callable[[str], None]) -> None:
        self.path = path.absolute()
        self.suffixes = suffixes
        self.bibliography = bibliography
        self.note = note
        self.identity = f"folder:{self.path}"

    def records(self) -> Iterator[Record | Problem]:
        """What cannot be looked at, then the records by id: the bibliography's, each with its documents, and one for each
        document that the bibliography does not name."""
        documents: list[Document] = []
        problems: list[Problem] = []
        for found in self._documents():
            if isinstance(found, Problem):
                if found.where == printable(self.path):
                    raise PinciteError(f"{found.where}: {found.reason}; check its permissions")
                problems.append(found)
            else:
                documents.append(found)
        bibliography = self._bibliography()
        described = describe(bibliography, documents) if bibliography else Described()
        records = {record.item.id: record for record in described.records}
        for one in documents:
            if one.path not in described.paths:
                # two names that differ in their normal form only are two documents
                id = one.id if one.id not in records else str(one.path)
                records[id] = make_record(id, one)
        problems.extend(described.problems)
        if not records and not problems:
            raise UsageError(
                f"{self.path}: no documents here; a folder is searched for files ending in {', '.join(self.suffixes)}"
            )
        yield from problems
        for id in sorted(records):
            yield records[id]

    def watched(self) -> Sequence[Path]:
        """The folder."""
        return (self.path,)

    def close(self) -> None:
        """Nothing stays open."""

    def _documents(self) -> Iterator[Document | Problem]:
        if self.path.is_dir():
            yield from walk(self.path, self.suffixes)
        else:
            yield document(self.path, self.path)

    def _bibliography(self) -> Path | None:
        if not self.bibliography or not self.path.is_dir():
            return None
        if self.bibliography != "auto":
            chosen = self.path / self.bibliography
            if not chosen.is_file():
                raise UsageError(f"{chosen}: no such file; it is set as the bibliography of this folder")
            return chosen
        try:
            found = sorted(path for path in self.path.glob("*.bib") if not path.name.startswith("."))
        except OSError:
            return None
        if len(found) > 1:
            names = ", ".join(path.name for path in found)
            self.note(f"{self.path}: {len(found)} bibliographies ({names}), so none is used; set `bibliography` to one")
        return found[0] if len(found) == 1 else None
