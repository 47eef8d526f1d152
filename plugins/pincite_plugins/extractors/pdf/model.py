"""What the stages hand on: words, pieces of lines, rows of a column, paragraphs. Boxes are x1, y1, x2, y2 in points, in the
reading frame of their page (turned so that lines run to the right and follow each other downwards)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from pincite.values.pack import BlockKind, Flow, Health

Box = tuple[float, float, float, float]

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3001-\u30ff\u3105-\u312f\u3190-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff5b-\uff9f\U00020000-\U0003ffff"
)
"""For a character class: the scripts that write no spaces between words (Thai, Lao, Myanmar, Khmer, Han, kana, bopomofo)
and the punctuation of Chinese and Japanese. Each such character is a word of its own in `Places`."""

UNSPACED_CHAR = re.compile(f"[{UNSPACED}]")


class Turn(IntEnum):
    """How the reading frame is turned against the page's own: quarter turns of the lines' direction, or the mirror image
    of a page that is written from right to left (so that lines begin, and columns come first, at its left)."""

    RIGHT = 0
    DOWN = 1
    LEFT = 2
    UP = 3
    MIRROR = 4


def turned(box: Box, turn: Turn) -> Box:
    """A page's box in the reading frame. Lines that run down (vertical Chinese too) follow each other to the left."""
    x1, y1, x2, y2 = box
    if turn is Turn.DOWN:
        return (y1, -x2, y2, -x1)
    if turn is Turn.LEFT:
        return (-x2, -y2, -x1, -y1)
    if turn is Turn.UP:
        return (-y2, x1, -y1, x2)
    if turn is Turn.MIRROR:
        return (-x2, y1, -x1, y2)
    return box


def turned_back(box: Box, turn: Turn) -> Box:
    """The inverse."""
    x1, y1, x2, y2 = box
    if turn is Turn.DOWN:
        return (-y2, x1, -y1, x2)
    if turn is Turn.LEFT:
        return (-x2, -y2, -x1, -y1)
    if turn is Turn.UP:
        return (y1, -x2, y2, -x1)
    if turn is Turn.MIRROR:
        return (-x2, y1, -x1, y2)
    return box


class Word:
    """A word (in Han, kana and Thai a character) with its box. `glued`: no white space stands before it."""

    __slots__ = ("box", "glued", "text")

    def __init__(self, text: str, box: Box, glued: bool) -> None:
        self.text = text
        self.box = box
        self.glued = glued


@dataclass(slots=True)
class Style:
    """How many characters of a stretch are what. `sizes`: font size rounded to a tenth → characters."""

    characters: int = 0
    bold: int = 0
    italic: int = 0
    mono: int = 0
    math: int = 0
    sizes: dict[float, int] = field(default_factory=dict)

    def add(self, other: Style) -> None:
        """Counts another stretch in."""
        self.characters += other.characters
        self.bold += other.bold
        self.italic += other.italic
        self.mono += other.mono
        self.math += other.math
        for size, count in other.sizes.items():
            self.sizes[size] = self.sizes.get(size, 0) + count

    @property
    def size(self) -> float:
        """The size of most characters."""
        if len(self.sizes) == 1:
            return next(iter(self.sizes))
        return max(self.sizes.items(), key=lambda pair: (pair[1], pair[0]))[0] if self.sizes else 0.0

    def mostly(self, count: int, share: float = 0.6) -> bool:
        """Whether a count makes up the stretch."""
        return count >= share * max(1, self.characters)


class Row:
    """One printed line of one column, or a piece of one. Words, style and text do not change once it is made.

    `size`: font size of most characters, in points. `gaps`: how many wide gaps it holds. `column`, `left`, `right`: its
    column in the document, and where that column's lines begin and end.
    """

    __slots__ = ("baseline", "box", "column", "gaps", "left", "page", "right", "size", "style", "text", "turn", "words")

    def __init__(
        self, words: list[Word], box: Box, style: Style, page: int, baseline: float, turn: Turn, gaps: int = 0
    ) -> None:
        self.words = words
        self.text = text_of(words)
        self.box = box
        self.style = style
        self.size = style.size
        self.page = page
        self.baseline = baseline
        self.turn = turn
        self.gaps = gaps
        self.column = -1
        self.left = self.right = 0.0

    @property
    def height(self) -> float:
        """Of the box."""
        return self.box[3] - self.box[1]

    @property
    def width(self) -> float:
        """Of the box."""
        return self.box[2] - self.box[0]


@dataclass(slots=True, eq=False)
class Para:
    """Rows that make one block. `level`: that of the outline's entry which names it, from 1; 0 for none. `opens`:
    level and title of a section that begins with it, where no block is its heading."""

    rows: list[Row]
    kind: BlockKind = BlockKind.PARAGRAPH
    flow: Flow = Flow.BODY
    role: str = ""
    reference: bool = False
    level: int = 0
    opens: tuple[int, str] | None = None
    section: int = -1

    @property
    def page(self) -> int:
        """Where it begins."""
        return self.rows[0].page

    @property
    def text(self) -> str:
        """Its rows, joined as in the pack."""
        return join_rows(self.rows)

    @property
    def style(self) -> Style:
        """Of all rows."""
        style = Style()
        for row in self.rows:
            style.add(row.style)
        return style

    @property
    def box(self) -> Box:
        """Around the rows of its first page."""
        return around(row.box for row in self.rows if row.page == self.page)


@dataclass(slots=True, eq=False)
class Sheet:
    """One page: its rows in its main reading frame, and those that run another way or aslant."""

    number: int
    label: str | None
    width: float
    height: float
    frame: Box
    turn: Turn
    rows: list[Row]
    aside: list[tuple[Turn, list[Row]]] = field(default_factory=list)
    aslant: list[Row] = field(default_factory=list)
    health: Health = Health.GOOD
    reason: str = ""


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all; of none, one of no size at the origin."""
    every = list(boxes)
    if len(every) == 1:
        return every[0]
    if not every:
        return (0.0, 0.0, 0.0, 0.0)
    x1, y1, x2, y2 = zip(*every, strict=True)
    return (min(x1), min(y1), max(x2), max(y2))


def text_of(words: Iterable[Word]) -> str:
    """Words with a space before each that is not glued."""
    out: list[str] = []
    for word in words:
        if out and not word.glued:
            out.append(" ")
        out.append(word.text)
    return "".join(out)


def joint(before: str, after: str) -> str:
    """What stands between two printed lines of a block: a line feed, or nothing where a script without spaces goes on."""
    return "" if before and after and UNSPACED_CHAR.match(before[-1]) and UNSPACED_CHAR.match(after[0]) else "\n"


def join_rows(rows: Iterable[Row]) -> str:
    """The text of rows, as it stands in the pack."""
    out = ""
    for row in rows:
        text = row.text
        out = text if not out else out + joint(out, text) + text
    return out
