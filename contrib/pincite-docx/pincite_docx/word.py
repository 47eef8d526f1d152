"""Word: paragraphs, headings, lists, tables, text boxes, formulas, foot- and endnotes (Office Open XML: ECMA-376 part 1, §17 and §22.1).

What the document shows is its text: not what tracked changes took away or moved from here, hidden text, comments, field codes, and the
table of contents, which says each heading again.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from pincite.values.pack import BlockKind
from pincite_docx.formulas import STRUCTURES, M, formula
from pincite_docx.parts import DC, Parts
from pincite_docx.reading import Found, Reader
from pincite_docx.writing import Writing

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
CHOICES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
BOX = f"{W}txbxContent"

_LEVEL = re.compile(r"(?:heading|title|überschrift|titre|título|rubrik|kop)\D*(\d)?", re.I)
_CONTENTS = re.compile(r"toc(?: ?\d| heading)|table of figures", re.I)
_MADE = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_NOTES = {f"{W}footnoteReference": ("footnotes.xml", "footnote"), f"{W}endnoteReference": ("endnotes.xml", "endnote")}
_SKIPPED = frozenset((f"{W}pPr", f"{W}rPr", f"{W}del", f"{W}moveFrom", f"{W}rt"))
_WRAPPERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))


def read_word(parts: Parts, writing: Writing) -> dict[str, str] | None:
    """Writes the document's text; returns its metadata, or None where there is no such text."""
    main = _main_part(parts)
    document = parts.xml(main) if main in parts.names else None
    if document is None or document.tag != f"{W}document":
        return None
    body = document.find(f"{W}body")
    _Reader(parts, posixpath.dirname(main), writing).read(body if body is not None else ())
    writing.end()
    tags = {"title": "title", "creator": "author", "language": "language", "subject": "subject"}
    return parts.metadata("docProps/core.xml", {f"{DC}{tag}": key for tag, key in tags.items()})


def _main_part(parts: Parts) -> str:
    """The part that holds the text, as the relations of the package name it: some programs write word/document2.xml."""
    relations = parts.xml("_rels/.rels") if "_rels/.rels" in parts.names else ()
    named = (one.get("Target", "").lstrip("/") for one in relations if one.get("Type", "").endswith("/officeDocument"))
    return next(named, "word/document.xml")


class _Reader(Reader):
    TABLE, ROW, CELL = f"{W}tbl", f"{W}tr", f"{W}tc"

    def __init__(self, parts: Parts, folder: str, writing: Writing) -> None:
        super().__init__(parts, writing)
        self.folder = folder
        self.levels, self.names = _styles(self._part("styles.xml"))
        self.notes: dict[str, dict[str, Any]] = {}

    def _part(self, name: str) -> Any:
        path = posixpath.join(self.folder, name)
        return self.parts.xml(path) if path in self.parts.names else ()

    def blocks(self, parent: Any) -> Iterator[Found]:
        for element in parent:
            if element.tag in (f"{W}p", self.TABLE):
                yield Found(element, element.find(f"{W}pPr/{W}numPr") is not None)
            elif element.tag in _WRAPPERS:
                yield from self.blocks(element)
            elif element.tag == CHOICES:
                yield from self.blocks(element[:1])

    def inside(self, parent: Any, tag: str) -> Iterator[Any]:
        for element in parent:
            if element.tag == tag:
                yield element
            elif element.tag in _WRAPPERS:
                yield from self.inside(element, tag)

    def paragraph(self, found: Found) -> None:
        element = found.element
        words = self.words(element)
        style = element.find(f"{W}pPr/{W}pStyle")
        named = style.get(f"{W}val", "") if style is not None else ""
        name = self.names.get(named, "")
        if _CONTENTS.fullmatch(name):
            return
        if name.lower() == "title" and not self.writing.title:
            self.writing.title = " ".join(words.split())
        level = _outline(element)
        level = self.levels.get(named, 0) if level is None else level
        if 1 <= level <= 9:
            self.writing.heading(words, level)
        else:
            self.writing.add(words, BlockKind.LIST if found.listed else BlockKind.PARAGRAPH)

    def words(self, element: Any) -> str:
        out = []
        for child in element:
            tag = child.tag
            if tag in _SKIPPED:
                continue
            if tag in (f"{W}t", f"{M}t"):
                out.append(" ".join((child.text or "").splitlines()))
            elif tag in _MADE:
                out.append(_MADE[tag])
            elif tag == BOX:
                self.boxes.append(child)
            elif tag in _NOTES:
                self._note(*_NOTES[tag], child.get(f"{W}id", ""))
            elif tag == CHOICES:
                out.append(self.words(child[:1]))
            elif tag in STRUCTURES:
                out.append(formula(child, self.words))
            elif tag != f"{W}r" or not _hidden(child):
                out.append(self.words(child))
        return "".join(out)

    def _note(self, part: str, tag: str, id: str) -> None:
        if part not in self.notes:
            self.notes[part] = {note.get(f"{W}id", ""): note for note in self._part(part) if note.tag == f"{W}{tag}"}
        note = self.notes[part].pop(id, None)
        if note is not None:
            self.writing.note(self.all_words(note))


def _styles(root: Any) -> tuple[dict[str, int], dict[str, str]]:
    """Style id → heading level, by its outline level, its name, or the style that it is based on; and → its name."""
    levels, names, bases = {}, {}, {}
    for style in root:
        if style.tag != f"{W}style":
            continue
        id = style.get(f"{W}styleId", "")
        name, base = style.find(f"{W}name"), style.find(f"{W}basedOn")
        names[id] = name.get(f"{W}val", "") if name is not None else ""
        bases[id] = base.get(f"{W}val", "") if base is not None else ""
        level, named = _outline(style), _LEVEL.fullmatch(names[id])
        if level is not None:
            levels[id] = level
        elif named:
            levels[id] = int(named[1] or 1)
    for id, base in bases.items():
        seen = {id}
        while id not in levels and base and base not in seen:
            seen.add(base)
            if base in levels and not _CONTENTS.fullmatch(names[id]):
                levels[id] = levels[base]
            base = bases.get(base, "")
    return levels, names


def _outline(element: Any) -> int | None:
    outline = element.find(f"{W}pPr/{W}outlineLvl")
    value = outline.get(f"{W}val", "") if outline is not None else ""
    return int(value) + 1 if value.isascii() and value.isdecimal() and len(value) < 3 else None


def _hidden(run: Any) -> bool:
    mark = run.find(f"{W}rPr/{W}vanish")
    return mark is not None and mark.get(f"{W}val", "1") not in ("0", "false", "off")
