"""A pack being put together: blocks in reading order, and the notes, each under the section that it is referred to from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.markup.builder import PackBuilder, Segment
from pincite.markup.outline import Outline
from pincite.packs.landmarks import heading_role
from pincite.values.pack import BlockKind, Flow


class Writing:
    """`title`: what is styled as the document's title."""

    def __init__(self) -> None:
        self.builder = PackBuilder()
        self.outline = Outline()
        self.title = ""
        self._called: list[str] = []  # by the block that is being read, which may be the heading of their section
        self._notes: list[tuple[str, int]] = []

    def add(self, words: str, kind: BlockKind = BlockKind.PARAGRAPH, *, reference: bool = False) -> None:
        """A block, if there is anything in it."""
        after_item = kind is BlockKind.LIST and self.builder.blocks and self.builder.blocks[-1].kind is kind
        self.builder.add(
            _segments(words),
            kind,
            section=self.outline.current,
            reference=reference,
            separator="\n" if after_item else "\n\n",
        )
        self._place_notes()

    def heading(self, words: str, level: int) -> None:
        """A heading, which opens a section."""
        if title := " ".join(words.split()):
            self.builder.add(_segments(title), BlockKind.HEADING, section=self.outline.open(title, level))
        self._place_notes()

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Cells apart by tabs, rows by line ends; a table of one column is a frame around paragraphs."""
        if any(len(row) > 1 for row in rows):
            self.add("\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in rows), BlockKind.TABLE)
        else:
            for row in rows:
                for words in row:
                    self.add(words)

    def shown_title(self) -> str:
        """What is styled as the title, else the heading that the text begins with, unless it is only "Introduction"."""
        first = self.builder.blocks[0] if self.builder.blocks else None
        if self.title or first is None or first.kind is not BlockKind.HEADING:
            return self.title
        title = self.outline.sections[first.section].title
        return "" if heading_role(title) else title

    def note(self, words: str) -> None:
        """A foot- or endnote, referred to from the block that comes next; it stands below the text."""
        self._called.append(words)

    def end(self) -> None:
        """Puts the notes below the text."""
        self._place_notes()
        for words, section in self._notes:
            self.builder.add(_segments(words), BlockKind.NOTE, flow=Flow.AUXILIARY, section=section)
        self._notes.clear()

    def _place_notes(self) -> None:
        self._notes += [(words, self.outline.current) for words in self._called]
        self._called.clear()


def _segments(words: str) -> list[Segment]:
    """Line ends and tabs as breaks that were made, which stay; all else is white space."""
    return [Segment(part) for part in re.split(r"([\n\t])", words) if part]
