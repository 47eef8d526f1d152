"""What comes nearest to a quotation that stands nowhere: the stretch of a text with the largest share of its letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from pincite.locating.letters import Letters
from pincite.locating.match import Quotation, Span

GRAM = 6
"""Letters of the pieces by which a stretch is looked for."""

LEAST = 0.3
"""Share below which nothing is near."""

WINDOWS = 3
"""Stretches of a text that are compared."""


@dataclass(frozen=True, slots=True)
class Near:
    """A stretch [start, end) of a text, and the share (0 to 1) of the quotation's letters that stand there in order."""

    share: float
    span: Span


def nearest_in(letters: Letters, quotation: Quotation) -> Near | None:
    """The nearest stretch of a text, or None where nothing is near."""
    best: Near | None = None
    for start, end in _windows(letters, quotation.letters):
        near = _compared(letters.source, *letters.span(start, end), quotation.text)
        if near is not None and near.share >= LEAST and (best is None or near.share > best.share):
            best = near
    return best


def _windows(letters: Letters, quote: Letters) -> Iterator[Span]:
    """Stretches of letters in which pieces of the quotation stand about where they should."""
    wanted, text = quote.text, letters.text
    width = max(GRAM, len(wanted))
    gram = min(GRAM, len(wanted))
    seen: Counter[int] = Counter()
    for at in range(0, len(wanted) - gram + 1, max(1, len(wanted) // 200)):
        piece = wanted[at : at + gram]
        found = text.find(piece)
        count = 0
        while found >= 0 and count < 200:
            # the beginning of the quotation would stand here; two neighbouring cells, so that no edge divides a stretch
            cell = (found - at) // width
            seen[cell] += 1
            seen[cell + 1] += 1
            count += 1
            found = text.find(piece, found + 1)
    for cell, _ in seen.most_common(WINDOWS):
        low, high = max(0, (cell - 1) * width - width // 2), min(len(text), (cell + 2) * width)
        if low < high:
            yield low, high


def _compared(source: str, start: int, end: int, quote: str) -> Near | None:
    theirs, mine = _words(quote, 0), _words(source[start:end], start)
    matcher = SequenceMatcher(None, [word for word, *_ in mine], [word for word, *_ in theirs], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    whole = sum(len(word) for word, *_ in theirs)
    if not blocks or not whole:
        return None
    # a word alone, far from the others, only widens the stretch
    kept = [block for block in blocks if block.size > 1] or blocks
    low, high = kept[0].a, kept[-1].a + kept[-1].size
    held = sum(len(mine[i][0]) for b in blocks if low <= b.a < high for i in range(b.a, b.a + b.size))
    return Near(held / whole, (mine[low][1], mine[high - 1][2]))


def _words(text: str, shift: int) -> list[tuple[str, int, int]]:
    """Words by their letters, with their spans; scripts without spaces character by character."""
    out: list[tuple[str, int, int]] = []
    letters = Letters(text)
    first = 0
    for index in range(1, len(letters) + 1):
        if letters.parts(index):
            start, end = letters.span(first, index)
            out.append((letters.text[first:index], start + shift, end + shift))
            first = index
    return out
