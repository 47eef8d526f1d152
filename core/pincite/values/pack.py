"""The structured text of one attachment, and where each stretch of it stands in its file.

A pack holds one text (`Pack.text`, in reading order); everything else points into it by code-point offsets
[start, end). Nothing ever alters that text after the offsets were taken. How a pack is laid down in a file is
specs/04-packs.md; this module is the value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    MATH = "math"
    IMAGE = "image"
    BLOCKQUOTE = "blockquote"
    LIST = "list"
    TABLE = "table"
    CAPTION = "caption"
    NOTE = "note"
    PREFORMATTED = "preformatted"


class Flow(StrEnum):
    """How a block takes part: `body` merges with its neighbours, `auxiliary` (captions, footnotes) stands
    alone, `excluded` (running heads, page numbers, line numbers) is never indexed."""

    BODY = "body"
    AUXILIARY = "auxiliary"
    EXCLUDED = "excluded"


class Health(StrEnum):
    """What a page's text layer is worth. `garbled` and `none` are not indexed."""

    GOOD = "good"
    POOR = "poor"
    GARBLED = "garbled"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its place in the outline. `parent` is an index into `Pack.sections`, or -1."""

    title: str
    level: int = 1
    parent: int = -1


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of `Pack.text` of one kind.

    `section` is an index into `Pack.sections`, or -1 for front matter (what stands before the first heading).
    `page` is the ordinal page, from 1, on which the block begins; None where the format has no pages.
    `reference` marks an entry of a bibliography: kept for words, never embedded.
    `role` is "" or a name for a block that is special to the whole document: "title", "authors", "abstract", "keywords".
    """

    start: int
    end: int
    kind: BlockKind = BlockKind.PARAGRAPH
    flow: Flow = Flow.BODY
    section: int = -1
    page: int | None = None
    reference: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `number` counts from 1; `label` is what the document declares ("xii", "S3"), else None.

    `width` and `height` in points (1/72 inch), of the page as displayed: rotation and crop box applied.
    """

    number: int
    label: str | None = None
    width: float = 0.0
    height: float = 0.0
    health: Health = Health.GOOD
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Rectangles of the words of paged text: parallel arrays, one entry a word or a part of one (for Han, kana and Thai: a
    character), ordered by start.

    `start`, `end`: int32 offsets into `Pack.text`. `page`: int32 from 1. `line`: int32, equal for words of one printed line.
    `box`: float32 (n, 4): x1, y1, x2, y2 in points from the top left of the page's crop box before its rotation is applied,
    y downwards, which is the frame of pymupdf's `Page.get_text` (specs/05-anchors.md).
    """

    start: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    page: npt.NDArray[np.int32]
    line: npt.NDArray[np.int32]
    box: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of `Pack.text` and the node of the source document that holds it, for formats without pages.

    `target`: for HTML a CSS selector of the innermost block element (paragraph, item, …; the whole table for a cell); for
    EPUB the CFI path of the text node ("/6/4!/4/2/1"); for the text of a picture, in both, the picture; for plain text and
    Markdown "". `offset`: where the stretch begins in that node's text (HTML: the element's text content, scripts and hidden
    parts included, as the DOM counts it; EPUB: the text node; a picture: its `alt`, trimmed; else: the decoded file without
    its byte order mark), in code points. The stretch has the same length on both sides, and the same characters but for white
    space, each character of which may stand as a space. What no run covers was made (breaks between blocks and cells).
    """

    start: int
    end: int
    target: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class EmbeddedAnnotation:
    """An annotation found inside the file itself; indexing makes it a child of the attachment."""

    kind: str
    text: str
    comment: str
    page: int
    page_label: str | None
    rects: tuple[tuple[int, float, float, float, float], ...] = ()
    color: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The structured text of an attachment. `format` is "pdf", "epub", "html", "markdown" or "text" (others may add theirs)."""

    format: str
    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()
    pages: tuple[Page, ...] = ()
    places: Places | None = None
    runs: tuple[Run, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    annotations: tuple[EmbeddedAnnotation, ...] = ()
    extractor: str = ""
    extractor_version: int = 0
    source_hash: str = ""

    def section_path(self, index: int) -> tuple[str, ...]:
        """The titles from the outermost heading down to section `index`; empty for front matter (-1)."""
        path: list[str] = []
        while index >= 0:
            path.append(self.sections[index].title)
            index = self.sections[index].parent
        return tuple(reversed(path))

    def label(self, number: int | None) -> str | None:
        """The printed label of an ordinal page, or None where the document has none."""
        if number is None or not 1 <= number <= len(self.pages):
            return None
        return self.pages[number - 1].label

    @property
    def letters(self) -> int:
        """How many letters stand in blocks that are indexed."""
        return sum(
            sum(map(str.isalpha, self.text[block.start : block.end]))
            for block in self.blocks
            if block.flow is not Flow.EXCLUDED
        )
