"""What both formats are read by: blocks in order, boxes after what they are fastened to, tables row by row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pincite_docx.parts import Parts
from pincite_docx.writing import Writing


@dataclass(frozen=True)
class Found:
    """A paragraph, heading or table; whether it stands in a list, and in the bibliography, as far as what is around it tells."""

    element: Any
    listed: bool = False
    reference: bool = False


class Reader(ABC):
    """`TABLE`, `ROW`, `CELL`: what they are called."""

    TABLE: ClassVar[str]
    ROW: ClassVar[str]
    CELL: ClassVar[str]

    def __init__(self, parts: Parts, writing: Writing) -> None:
        self.parts = parts
        self.writing = writing
        self.boxes: list[Any] = []

    def read(self, parent: Any) -> None:
        """Writes what is below an element."""
        for found in self.blocks(parent):
            if found.element.tag == self.TABLE:
                self.writing.table(self._rows(found.element))
            else:
                self.paragraph(found)
            # a box stands after what it is fastened to
            while self.boxes:
                boxes, self.boxes = self.boxes, []
                for box in boxes:
                    self.read(box)

    def all_words(self, parent: Any) -> str:
        """The words of all paragraphs, a table inside as one."""
        return "\n".join(
            " ".join(" ".join(row) for row in self._rows(one)) if one.tag == self.TABLE else self.words(one)
            for one in (found.element for found in self.blocks(parent))
        )

    def _rows(self, table: Any) -> list[list[str]]:
        return [[self.all_words(cell) for cell in self.inside(row, self.CELL)] for row in self.inside(table, self.ROW)]

    @abstractmethod
    def blocks(self, parent: Any) -> Iterator[Found]:
        """Paragraphs, headings and tables in order, those in what is wrapped around them too."""

    @abstractmethod
    def inside(self, parent: Any, tag: str) -> Iterable[Any]:
        """Rows or cells in order, those in what is wrapped around them too, but none of a table inside."""

    @abstractmethod
    def paragraph(self, found: Found) -> None:
        """Writes a paragraph or heading."""

    @abstractmethod
    def words(self, element: Any) -> str:
        """What a paragraph or a part of it says; boxes are put aside, and so are notes."""
