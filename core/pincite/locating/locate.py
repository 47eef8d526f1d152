"""From a quotation to its place (specs/30-locating.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pincite.anchors import anchor_of
from pincite.errors import Cancelled, UsageError
from pincite.locating.match import Quotation, Spans, places_in
from pincite.locating.nearest import Near, nearest_in
from pincite.locating.texts import Owner, Text, every, likely, read
from pincite.search.places import link_of
from pincite.spec import Cancel, Store
from pincite.values.located import Located, Outcome, QuotePlace
from pincite.values.search import Chunk, ChunkKind

if TYPE_CHECKING:
    from pincite.library import Library

MOST = 100
"""Places that are given; all are counted."""

LONGEST = 20_000
"""Characters of a quotation: some ten pages, which take seconds; a book pasted by mistake would take minutes."""

NEAREST_AMONG = 10
"""Texts, the likeliest first, in which the nearest stretch is looked for."""


@dataclass
class _Search:
    """What is found on the way."""

    quotation: Quotation
    places: list[QuotePlace] = field(default_factory=list)
    total: int = 0
    near: tuple[Near, Text] | None = None
    compared: int = 0


def locate(library: Library, quote: str, cancelled: Cancel = lambda: False) -> Located:
    """Every place of `quote` in a library's files, or, where none has it, in its notes, annotations and abstracts.

    Texts that hold its words are read first, and, only where it is in none of these, all others: a quotation that is there is found.
    Raises `UsageError` for a quotation without a letter or digit or of more than `LONGEST` characters, and where nothing is indexed yet;
    `Cancelled`.
    """
    if len(quote) > LONGEST:
        raise UsageError(
            f"the quotation has {len(quote):,} characters, and {LONGEST:,} are looked for at most; give a page or less of it"
        )
    quotation = Quotation(quote)
    if not len(quotation.letters):
        raise UsageError("there is no word in this quotation; give a sentence or a part of one")
    if not library.indexed:
        raise UsageError(f"{library.path}: not indexed yet; run `pincite index` first")
    store = library.store
    owners = likely(library, quotation, cancelled)
    search = _Search(quotation)
    for files in (True, False):
        _look(search, store, (owner for owner in owners if (owner.kind == "file") is files), cancelled)
        if search.total:
            break
    if not search.total:
        seen = set(owners)
        for files in (True, False):
            _look(search, store, (owner for owner in every(store, files) if owner not in seen), cancelled)
            if search.total:
                break
    if search.total:
        outcome = Outcome.FOUND if search.total == 1 else Outcome.AMBIGUOUS
        return Located(quote, outcome, tuple(search.places), None, search.total)
    nearest = None
    if search.near is not None:
        near, text = search.near
        nearest = _place(store, text, (near.span,), near.share)
    return Located(quote, Outcome.NOT_FOUND, nearest=nearest)


def _look(search: _Search, store: Store, owners: Iterable[Owner], cancelled: Cancel) -> None:
    for text in _texts(store, owners, cancelled):
        found = places_in(text.readings, search.quotation)
        search.total += len(found)
        for spans in found[: MOST - len(search.places)]:
            search.places.append(_place(store, text, spans, 1.0))
        if not search.total and search.compared < NEAREST_AMONG:
            search.compared += 1
            near = nearest_in(text.readings.plain, search.quotation)
            if near is not None and (search.near is None or near.share > search.near[0].share):
                search.near = near, text


def _texts(store: Store, owners: Iterable[Owner], cancelled: Cancel) -> Iterator[Text]:
    for owner in owners:
        if cancelled():
            raise Cancelled("stopped")
        text = read(store, owner)
        if text is not None:
            yield text


def _place(store: Store, text: Text, spans: Spans, share: float) -> QuotePlace:
    pack = text.pack
    chunk = _passage(store, text.owner, spans)
    page = label = None
    section: tuple[str, ...] = ()
    anchor: dict[str, Any] = {"kind": text.owner.kind}
    if pack is not None:
        anchor = anchor_of(pack, spans)
        block = next((b for b in pack.blocks if b.start <= spans[0][0] < b.end), None)
        section = pack.section_path(block.section) if block is not None else ()
        rects = anchor.get("rects", ())
        page = int(rects[0][0]) if rects else (block.page if block is not None else None)
        label = pack.label(page)
    elif chunk is not None:
        page, label = chunk.page, chunk.page_label
        anchor = chunk.anchor or anchor
    return QuotePlace(
        item=text.record.item,
        kind=text.owner.kind,
        child=text.owner.child,
        spans=spans,
        text=" … ".join(text.text[start:end] for start, end in spans),
        share=share,
        section=section,
        page=page,
        page_label=label,
        anchor=anchor,
        passage=chunk.id if chunk is not None else "",
        link=_link(text, chunk, page),
    )


def _passage(store: Store, owner: Owner, spans: Spans) -> Chunk | None:
    """The passage that holds the beginning of a place, or the one after it: where a heading, or a running head, is quoted."""
    start = spans[0][0]
    rows = store.rows_of_item(owner.item).tolist()
    mine = [one for one in store.chunks(rows).values() if _belongs(one, owner)]
    if owner.kind == "abstract":
        return mine[0] if mine else None
    holding = [one for one in mine if any(low <= start < high for low, high in one.spans)]
    after = sorted((one for one in mine if one.spans and one.spans[-1][1] > start), key=lambda one: one.spans[0][0])
    return (holding or after or [None])[0]  # type: ignore[list-item]


def _belongs(chunk: Chunk, owner: Owner) -> bool:
    return chunk.kind is ChunkKind.ITEM if owner.kind == "abstract" else chunk.child == owner.child


def _link(text: Text, chunk: Chunk | None, page: int | None) -> str:
    """What opens the place itself, which may be on another page than the passage begins on."""
    if chunk is None:
        return text.record.item.link
    return link_of(text.record, replace(chunk, page=page))
