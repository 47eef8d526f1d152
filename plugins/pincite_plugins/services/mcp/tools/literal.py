"""Exact words in a document, white space aside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pincite.indexing.plain import pack_of
from pincite.search.places import link_of
from pincite.spec import Store
from pincite.text.readable import readable
from pincite.values.ledger import FileEntry
from pincite.values.library import Record
from pincite.values.search import Chunk
from pincite_plugins.services.mcp import words
from pincite_plugins.services.mcp.shapes import Matched, Passage

PLACES = 3
"""Places of a document that are shown."""

AROUND = 80
"""Characters before and after the words."""


def pattern_of(query: str, case_sensitive: bool) -> re.Pattern[str]:
    """Its words as they stand, with any white space between them: a line may end there."""
    return re.compile(r"\s+".join(re.escape(word) for word in query.split()), 0 if case_sensitive else re.IGNORECASE)


def matched(
    store: Store, pattern: re.Pattern[str], entry: FileEntry, record: Record, facts: dict[str, Any]
) -> Matched | None:
    """Where a document holds the words, or None."""
    pack = pack_of(store, store.attachment(entry.attachment))
    if pack is None:
        return None
    spans = [match.span() for match in pattern.finditer(pack.text)]
    if not spans:
        return None
    rows = store.rows_of_item(entry.item).tolist()
    chunks = [chunk for chunk in store.chunks(rows).values() if chunk.child == entry.attachment]
    places = _places(record, pack.text, spans, chunks)
    return Matched(**facts, matches=len(spans), passages=places)


def _places(record: Record, text: str, spans: Sequence[tuple[int, int]], chunks: Sequence[Chunk]) -> list[Passage]:
    """The first places that stand in different passages; what is not indexed (running heads) has none."""
    made: dict[str, Passage] = {}
    for start, end in spans:
        chunk = next((one for one in chunks if any(low < end and start < high for low, high in one.spans)), None)
        if chunk is not None and chunk.id not in made:
            made[chunk.id] = words.passage(record.item, chunk, link_of(record, chunk), _line(text, start, end))
        if len(made) == PLACES:
            break
    return list(made.values())


def _line(text: str, start: int, end: int) -> str:
    """The words with what stands around them, whole words only."""
    low, high = max(0, start - AROUND), min(len(text), min(end, start + 2 * AROUND) + AROUND)
    if low > 0 and (space := text.find(" ", low, start)) >= 0:
        low = space + 1
    if high < len(text) and (space := text.rfind(" ", end, high)) >= 0:
        high = space
    return ("…" if low > 0 else "") + readable(text[low:high]).strip() + ("…" if high < len(text) else "")
