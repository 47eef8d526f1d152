"""A tree of elements → blocks of a pack: one walk in document order, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pincite.markup import names
from pincite.markup.builder import MADE, PackBuilder, Segment
from pincite.markup.outline import Outline
from pincite.markup.parse import Element, local_name
from pincite.markup.sense import Sense, has_tex, holds_math, sense_within
from pincite.values.pack import BlockKind, Flow, Page


@dataclass(slots=True)
class Frame:
    """An element that is open. `begin` counts the characters of the document's text before it; `elements` and `chunk`
    say which text node is being read (how many child elements came before it, how much of it was read)."""

    element: Element
    name: str
    parent: Frame | None
    number: int
    kin: int
    begin: int
    sense: Sense
    block: bool
    elements: int = 0
    chunk: int = 0
    names: dict[str, int] = field(default_factory=dict)
    cells: int = 0

    def holder(self) -> Frame:
        """The innermost element that is a block, what a paragraph's text is a part of; for a cell, the whole table."""
        frame = self
        while frame.parent is not None and (not frame.block or frame.parent.sense.table):
            frame = frame.parent
        return frame


Address = Callable[[Frame, int], tuple[str, int]]
"""(the frame that a text node stands in, characters of the document before the text) → target and offset of a run."""

ImageAddress = Callable[[Frame, Element, int, int], str]
"""(the frame that a picture stands in, the picture, its number among the elements and among its kin) → target of a
run."""


class TreeReader:
    """Reads trees into a builder.

    `excluded` are elements whose text is no part of the work. `pages` are those found so far. `page_ids`: ids of
    elements at which a page begins → its label. `titles`: ids of elements at which a section begins → its title and
    level, for a document whose headings are told by a table of contents only.
    """

    def __init__(
        self,
        builder: PackBuilder,
        outline: Outline,
        address: Address,
        image_address: ImageAddress,
        excluded: frozenset[Any] = frozenset(),
        pages: list[Page] | None = None,
        page_ids: Mapping[str, str] | None = None,
        titles: Mapping[str, tuple[str, int]] | None = None,
    ) -> None:
        self.builder = builder
        self.outline = outline
        self.pages: list[Page] = pages if pages is not None else []
        self._page_ids = page_ids or {}
        self._titles = titles or {}
        self._address = address
        self._image_address = image_address
        self._excluded = excluded
        self._position = 0
        self._buffer: list[Segment] = []
        self._sense = Sense()
        self._images: list[Segment] = []
        self._breaks = 0
        self._said: set[str] = set()

    def read(self, root: Element) -> None:
        """Adds the text of a tree."""
        self._position = 0
        frame = self._frame(root, None)
        stack: list[tuple[Frame, Iterator[Element]]] = [(frame, iter(root))]
        self._text(frame, root.text)
        while stack:
            frame, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._end(frame)
                if frame.parent is not None:
                    frame.parent.chunk = 0
                    self._text(frame.parent, frame.element.tail)
                continue
            if not isinstance(child.tag, str):
                self._text(frame, child.tail)
                continue
            inner = self._start(frame, child)
            if inner is None:
                frame.chunk = 0
                self._text(frame, child.tail)
            else:
                stack.append((inner, iter(child)))
                self._text(inner, child.text)
        self._flush()

    # -- elements
    def _frame(self, element: Element, parent: Frame | None, sense: Sense | None = None) -> Frame:
        name = local_name(element)
        number = kin = 1
        if parent is not None:
            parent.elements += 1
            number = parent.elements
            kin = parent.names[name] = parent.names.get(name, 0) + 1
        block = name in names.BLOCKS
        return Frame(element, name, parent, number, kin, self._position, sense or Sense(), block)

    def _start(self, parent: Frame, element: Element) -> Frame | None:
        """Opens an element; None where its text is skipped."""
        frame = self._frame(element, parent, parent.sense)
        sense = self._sense_of(frame, parent.sense)
        if sense is None:
            self._position += len(element.xpath("string()"))
            return None
        frame.sense = sense
        if frame.name == "br":
            self._line_break(frame)
        elif sense.table and not parent.sense.table:
            self._flush()
        elif sense.table:
            self._in_table(frame, parent)
        elif frame.block:
            self._flush()
        return frame

    def _end(self, frame: Frame) -> None:
        if frame.block and not (frame.sense.table and frame.name != "table"):
            self._flush()
        elif frame.sense.table and frame.block and frame.name not in ("td", "th"):
            self._made(" ")

    def _in_table(self, frame: Frame, parent: Frame) -> None:
        """Rows stand on lines of their own, cells are apart by tabs."""
        if frame.name == "tr":
            self._made("\n")
        elif frame.name in ("td", "th"):
            if parent.cells:
                self._made("\t")
            parent.cells += 1
        elif frame.block:
            self._made(" ")

    def _line_break(self, frame: Frame) -> None:
        self._breaks += 1
        if self._breaks > 1 and not (frame.sense.table or frame.sense.level or frame.sense.raw):
            self._flush()
        else:
            self._made("\n")

    def _made(self, text: str) -> None:
        if self._buffer:
            self._buffer.append(Segment(text, "", MADE))

    # -- meaning
    def _sense_of(self, frame: Frame, above: Sense) -> Sense | None:
        """What the text of an element is; None where it is skipped whole."""
        element, name = frame.element, frame.name
        if name in ("img", "image"):
            if not names.is_hidden(name, element):
                self._image(frame, above)
            return None
        if name == "math":
            return self._math(frame, above)
        if name == "annotation" and "tex" in (element.get("encoding") or "").lower():
            return replace(above, mute=False)
        if name == "script" and (element.get("type") or "").lower().startswith("math/tex"):
            return above
        if name in names.SKIPPED:
            return None
        if not element.attrib and name != "sup":
            return self._within(frame, above)
        if names.is_rendered_math(element) or names.is_hidden(name, element):
            return replace(above, mute=True) if holds_math(element) else None
        if self._marked(element):
            return None
        said = names.tokens(element)
        if names.is_note_reference(name, element, said) or names.is_backlink(said):
            return None
        if above.level and names.is_permalink(name, element):
            return None
        return self._within(frame, above, said)

    def _marked(self, element: Element) -> bool:
        """Opens the page or the section that begins at an element; whether the element is that mark and no more."""
        if names.is_page_break(element):
            self._page_break(element)
            return True
        own = (element.get("id") or "") if self._page_ids or self._titles else ""
        if own in self._page_ids:
            self.pages.append(Page(len(self.pages) + 1, self._page_ids[own] or None))
        if own in self._titles:
            self._flush()
            self.outline.open(*self._titles[own])
        return False

    def _within(self, frame: Frame, above: Sense, said: frozenset[str] = frozenset()) -> Sense:
        excluded = frame.element in self._excluded
        return sense_within(above, frame.element, frame.name, said, block=frame.block, excluded=excluded)

    def _math(self, frame: Frame, above: Sense) -> Sense:
        """A formula: its TeX, where it has some, stands for it; else its own characters."""
        element = frame.element
        if has_tex(element):
            return replace(above, mute=True)
        alt = (element.get("alttext") or "").strip()
        if alt and not above.mute:
            self._buffer.append(Segment(f" {alt} ", "", MADE))
            return replace(above, mute=True)
        return replace(above, mute=False)

    def _image(self, frame: Frame, above: Sense) -> None:
        alt = (frame.element.get("alt") or "").strip()
        if not alt or above.mute or frame.parent is None:
            return
        target = self._image_address(frame.parent, frame.element, frame.number, frame.kin)
        if names.is_formula_alt(frame.element, alt) or above.level:
            self._keep(above)
            self._buffer.append(Segment(alt, target, 0))
        elif names.useful_alt(alt) and above.flow is not Flow.EXCLUDED and not above.table:
            self._images.append(Segment(alt, target, 0))

    def _page_break(self, element: Element) -> None:
        label = element.get("title") or element.get("aria-label") or element.xpath("string()")
        label = " ".join(label.split()).removeprefix("Page ").strip(" .") or None
        self.pages.append(Page(len(self.pages) + 1, label))

    # -- text
    def _text(self, frame: Frame, text: str | None) -> None:
        if not text:
            return
        sense = frame.sense
        if not sense.mute and (self._buffer or not text.isspace()):
            target, offset = self._address(frame, self._position)
            self._keep(sense)
            self._buffer.append(Segment(text, target, offset))
            if not text.isspace():
                self._breaks = 0
        frame.chunk += len(text)
        self._position += len(text)

    def _keep(self, sense: Sense) -> None:
        """The sense of a block is that of its first words."""
        if not any(segment.text.strip() for segment in self._buffer):
            self._sense = sense

    def _flush(self) -> None:
        """Ends the block that is being read."""
        self._breaks = 0
        if self._buffer:
            segments, self._buffer = self._buffer, []
            self._block(segments, self._sense)
        for image in self._images:
            if image.text not in self._said:
                self._said.add(image.text)
                self._add([image], BlockKind.IMAGE, Flow.AUXILIARY, Sense())
        self._images = []

    def _block(self, segments: list[Segment], sense: Sense) -> None:
        if sense.level and sense.flow is not Flow.EXCLUDED:
            title = " ".join("".join(segment.text for segment in segments).split())
            if title and sense.flow is Flow.BODY:
                self.outline.open(title, sense.level)
        elif sense.kind is BlockKind.CAPTION:
            self._said.add(" ".join("".join(segment.text for segment in segments).split()))
        self._add(segments, sense.kind, sense.flow, sense)

    def _add(self, segments: list[Segment], kind: BlockKind, flow: Flow, sense: Sense) -> None:
        blocks = self.builder.blocks
        after_item = bool(blocks) and kind is BlockKind.LIST and blocks[-1].kind is BlockKind.LIST
        if kind is BlockKind.HEADING and flow is not Flow.BODY:
            kind = BlockKind.PARAGRAPH
        self.builder.add(
            segments,
            kind,
            flow=flow,
            section=self.outline.current,
            page=len(self.pages) or None,
            reference=sense.reference and kind is not BlockKind.HEADING,
            role=sense.role if kind is not BlockKind.HEADING else "",
            keep_space=sense.raw,
            separator="\n" if after_item else "\n\n",
        )
