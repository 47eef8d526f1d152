"""Sections of a document, opened one after the other."""

from __future__ import annotations

from pincite.values.pack import Section

LONGEST_TITLE = 300
"""Characters of a title that are kept in a section path; a longer "heading" is a paragraph set in large type."""


class Outline:
    """Headings in document order → `Pack.sections`. `current` is the section that is open, -1 before the first."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.current = -1

    def open(self, title: str, level: int) -> int:
        """Opens a section and returns its index. It belongs to the nearest one before it of a lower level."""
        parent = self.current
        while parent >= 0 and self.sections[parent].level >= level:
            parent = self.sections[parent].parent
        name = " ".join(title.split())
        if len(name) > LONGEST_TITLE:
            name = name[:LONGEST_TITLE].rsplit(" ", 1)[0] + "…"
        self.sections.append(Section(name, level, parent))
        self.current = len(self.sections) - 1
        return self.current
