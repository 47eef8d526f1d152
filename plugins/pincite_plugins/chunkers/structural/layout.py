"""Blocks of a pack → what is cut: sections of body paragraphs, and the blocks that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pincite.chunks import chunk_text, runs_on
from pincite.values.pack import Block, BlockKind, Flow, Pack
from pincite.values.search import ChunkKind

Spans = tuple[tuple[int, int], ...]

# What may not go on with a paragraph that the block before left open.
_NO_SEAM = frozenset({BlockKind.HEADING, BlockKind.LIST, BlockKind.PREFORMATTED})

_ALONE = {
    BlockKind.CAPTION: ChunkKind.CAPTION,
    BlockKind.IMAGE: ChunkKind.CAPTION,
    BlockKind.NOTE: ChunkKind.FOOTNOTE,
    BlockKind.TABLE: ChunkKind.TABLE,
}


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block, or several that a page break or a figure parted; `tokens` counts its text."""

    spans: Spans
    section: int
    heading: bool = False
    tokens: int = 0


@dataclass(slots=True)
class Unit:
    """A section's own body text (without its subsections'), or an abstract."""

    section: int
    role: str = ""
    paragraphs: list[Paragraph] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """Tokens of the text, headings aside."""
        return sum(paragraph.tokens for paragraph in self.paragraphs if not paragraph.heading)


@dataclass(frozen=True, slots=True)
class Alone:
    """A block that is a chunk of its own, or (`kind` reference) an entry of a bibliography."""

    spans: Spans
    section: int
    kind: ChunkKind
    role: str = ""
    tokens: int = 0


@dataclass(slots=True)
class Layout:
    """A pack sorted out. All lists are in reading order."""

    units: list[Unit] = field(default_factory=list)
    alone: list[Alone] = field(default_factory=list)
    references: list[Alone] = field(default_factory=list)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends."""
    piece = text[start:end]
    end -= len(piece) - len(piece.rstrip())
    start += len(piece) - len(piece.lstrip())
    return (start, max(start, end))


def merged(text: str, spans: Sequence[tuple[int, int]]) -> Spans:
    """Spans with those joined that only white space parts: a slice may run over the break between two paragraphs."""
    out: list[tuple[int, int]] = []
    for start, end in spans:
        if out and out[-1][1] <= start and not text[out[-1][1] : start].strip():
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return tuple(out)


def layout(pack: Pack) -> Layout:
    """Sorts the blocks: body text into sections, the rest apart. Excluded blocks and empty ones are left out."""
    result = Layout()
    text = pack.text
    last: tuple[Paragraph, Block] | None = None
    for block in pack.blocks:
        if block.flow is Flow.EXCLUDED:
            continue
        span = trimmed(text, block.start, block.end)
        if span[0] == span[1]:
            continue
        if block.reference:
            result.references.append(Alone((span,), block.section, ChunkKind.REFERENCE))
            continue
        kind = _kind_alone(block)
        if kind is not None:
            result.alone.append(Alone((span,), block.section, kind, block.role))
            continue
        role = block.role if block.role == "abstract" else ""
        unit = result.units[-1] if result.units else None
        if unit is None or unit.section != block.section or unit.role != role:
            own = result.units.pop() if role and unit is not None and _only_headings(unit, block.section) else None
            unit = Unit(block.section, role, own.paragraphs if own else [])
            result.units.append(unit)
            last = None
        heading = block.kind is BlockKind.HEADING
        if last is not None and _goes_on(text, last, block, span):
            paragraph = replace(last[0], spans=merged(text, (*last[0].spans, span)))
            unit.paragraphs[-1] = paragraph
        else:
            paragraph = Paragraph((span,), block.section, heading)
            unit.paragraphs.append(paragraph)
        last = (paragraph, block)
    return result


def _only_headings(unit: Unit, section: int) -> bool:
    """Whether a unit is the heading of what follows in the same section."""
    return unit.section == section and all(paragraph.heading for paragraph in unit.paragraphs)


def _kind_alone(block: Block) -> ChunkKind | None:
    if block.kind in _ALONE:
        return _ALONE[block.kind]
    if block.flow is Flow.AUXILIARY:
        return ChunkKind.FOOTNOTE if block.kind is BlockKind.NOTE else ChunkKind.CAPTION
    return None


def _goes_on(text: str, last: tuple[Paragraph, Block], block: Block, span: tuple[int, int]) -> bool:
    """Whether a block is the rest of the paragraph before it."""
    paragraph, before = last
    if before.kind in _NO_SEAM or block.kind in _NO_SEAM or before.kind is not block.kind:
        return False
    end = paragraph.spans[-1]
    apart = before.page != block.page or bool(text[end[1] : span[0]].strip())
    return apart and runs_on(text[max(end[0], end[1] - 80) : end[1]], text[span[0] : span[0] + 8])


_WORDS = re.compile(r"[^\W_]+")


def title_key(title: str) -> str:
    """A heading for comparison: letters and digits alone, without case."""
    return "".join(_WORDS.findall(title)).casefold()


class Paths:
    """Section paths and their common ancestors."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._chains: dict[int, tuple[int, ...]] = {-1: ()}
        self._keys: dict[int, frozenset[str]] = {}

    def chain(self, section: int) -> tuple[int, ...]:
        """Section indexes from the outermost down to `section`; empty for front matter. A loop in the outline ends
        it."""
        if section not in self._chains:
            chain: list[int] = []
            at = section
            while 0 <= at < len(self._pack.sections) and at not in chain:
                chain.append(at)
                at = self._pack.sections[at].parent
            self._chains[section] = tuple(reversed(chain))
        return self._chains[section]

    def titles(self, section: int) -> tuple[str, ...]:
        """The titles down to `section`, without empty ones."""
        titles = (" ".join(self._pack.sections[at].title.split()) for at in self.chain(section))
        return tuple(title for title in titles if title)

    def common(self, one: int, other: int) -> int:
        """The innermost section that holds both, or -1."""
        found = -1
        for a, b in zip(self.chain(one), self.chain(other), strict=False):
            if a != b:
                break
            found = a
        return found

    def depth(self, section: int) -> int:
        """How deep a section lies; 0 for front matter."""
        return len(self.chain(section))

    def says(self, section: int, heading: str) -> bool:
        """Whether the path down to `section` holds this heading, so that the text need not."""
        if section not in self._keys:
            self._keys[section] = frozenset(map(title_key, self.titles(section)))
        key = title_key(heading)
        return not key or key in self._keys[section]


def paragraph_texts(pack: Pack, found: Layout) -> Iterator[str]:
    """The texts whose tokens are to be counted, in the order in which `with_tokens` takes the counts."""
    for unit in found.units:
        for paragraph in unit.paragraphs:
            yield chunk_text(pack.text, paragraph.spans)
    for block in (*found.alone, *found.references):
        yield chunk_text(pack.text, block.spans)


def with_tokens(found: Layout, counts: Sequence[int]) -> Layout:
    """The same layout with its token counts."""
    at = iter(counts)
    for unit in found.units:
        unit.paragraphs = [replace(paragraph, tokens=next(at)) for paragraph in unit.paragraphs]
    found.alone = [replace(block, tokens=next(at)) for block in found.alone]
    found.references = [replace(block, tokens=next(at)) for block in found.references]
    return found
