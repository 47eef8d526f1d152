"""The source: one item a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pincite.errors import UsageError
from pincite.values.library import Problem, Record
from pincite_plugins.sources.folder.items import make_record
from pincite_plugins.sources.folder.walk import Document, document, walk


class FolderSource:
    """A folder of documents, or one document."""

    def __init__(self, path: Path, suffixes: tuple[str, ...], bibliography: str, note: Callable[[str], None]) -> None:
        self.path = path.absolute()
        self.suffixes = suffixes
        self.bibliography = bibliography
        self.note = note
        self.identity = f"folder:{self.path}"

    def records(self) -> Iterator[Record | Problem]:
        """What cannot be looked at, then one record a document, by id."""
        documents: dict[str, Document] = {}
        problems = 0
        for found in self._documents():
            if isinstance(found, Problem):
                problems += 1
                yield found
                continue
            id = found.id if found.id not in documents else str(found.path)
            documents[id] = found
        if not documents and not problems:
            raise UsageError(
                f"{self.path}: no documents here; a folder is searched for files ending in {', '.join(self.suffixes)}"
            )
        for id in sorted(documents):
            yield make_record(id, documents[id])

    def _documents(self) -> Iterator[Document | Problem]:
        if self.path.is_dir():
            yield from walk(self.path, self.suffixes)
        else:
            yield document(self.path, self.path)

    def watched(self) -> Sequence[Path]:
        """The folder."""
        return (self.path,)

    def close(self) -> None:
        """Nothing stays open."""
