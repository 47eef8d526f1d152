"""Works that a query names outright: by DOI, ISBN, arXiv id or citation key, or by their whole title. They come first in every engine."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

import numpy as np

from pincite.query.identifiers import bare_doi, isbn13
from pincite.search.engine import HEAD, Ranking, fullest
from pincite.search.met import with_terms
from pincite.spec import Cancel, Ranker, Store
from pincite.text.normalise import normalise
from pincite.values.library import Item
from pincite.values.query import Query
from pincite.values.search import Fused

_PARTS = re.compile(r"[^\W_]+")


def named(query: Query, lexicon: Ranker, store: Store, ranking: Ranking, cancelled: Cancel) -> list[int]:
    """Item rows that the query names, those first that it names by number, key or title rather than by another title that they have, of
    these the ones that hold more than their own words, as a duplicate without the file does not, then as they are ranked: they are among
    the best passages by words, which hold all of its words."""
    if not query.terms or (query.identifier is None and len(title_key(query.text)) < 3):
        return []
    head = ranking.heads.get(lexicon.name)
    if head is None:  # it took no part
        found = fullest(with_terms(query, lexicon, lexicon.rank(query, ranking.rows, HEAD, cancelled)))
        head = frozenset(store.items_of(np.array([one.row for one in found], np.int64)).tolist())
    asked = title_key(query.text)
    there = ((row, store.item(row)) for row in head if row >= 0)
    how = {row: by for row, item in there if item is not None and (by := _names(query, asked, item)) is not None}
    place = {one.item: at for at, one in enumerate(ranking.fused)}
    bare = {row for row, passages in store.rows_of_items(how).items() if len(passages) < 2} if len(how) > 1 else set()
    return sorted(how, key=lambda row: (how[row], row in bare, place.get(row, len(place)), row))


def is_title(query: Query, lexicon: Ranker, store: Store, cancelled: Cancel) -> bool:
    """Whether a work is titled as the query stands, signs and all, wherever it comes in a ranking."""
    found = (store.item(row) for row in named(query, lexicon, store, Ranking([], {}, {}, None), cancelled))
    titles = (title for item in found if item is not None for title in _titles(item))
    return any(_with_signs(query.text) == _with_signs(title) for title in titles)


def first(ranking: Ranking, items: Iterable[int]) -> Ranking:
    """The ranking with these works at its head, each as relevant as can be."""
    chosen = list(items)
    if not chosen:
        return ranking
    held = {one.item: one for one in ranking.fused}
    top = max((one.score for one in ranking.fused), default=0.0)
    head = []
    for item in chosen:
        before = held.get(item)
        parts = {**(before.parts if before else {}), "exact": 1.0}
        head.append(Fused(item, top + 1.0, 1.0, parts))
    rest = [one for one in ranking.fused if one.item not in set(chosen)]
    return dataclasses.replace(ranking, fused=[*head, *rest], weak=False)


def title_key(title: str) -> str:
    """A title by its words alone: case, accents, punctuation and markup aside."""
    return " ".join(_PARTS.findall(normalise(title).text))


def _titles(item: Item) -> tuple[str, ...]:
    return (item.title, *item.alternative_titles)


def _with_signs(title: str) -> str:
    return " ".join(normalise(title).text.split())


def _names(query: Query, asked: str, item: Item) -> int | None:
    """0 by number, key or title, 1 by another title, None not at all."""
    if query.identifier is not None and _has(item, *query.identifier):
        return 0
    titles = [title_key(title) for title in _titles(item)]
    return min(titles.index(asked), 1) if asked and asked in titles else None


def _has(item: Item, kind: str, value: str) -> bool:
    if kind == "key":
        return item.key != "" and item.key.casefold() == value.casefold()
    if kind == "isbn":
        return any(isbn13(part) == value for part in re.split(r"[\s,;]+(?=97|\d{9})", item.isbn) if part)
    if kind == "doi":
        return bare_doi(item.doi) == value or any(bare_doi(one) == value for one in item.identifiers)
    ids = (item.url, *item.identifiers, item.doi)
    return any(re.search(rf"(?<![\w.]){re.escape(value)}(?:v\d+)?(?![\w])", one.lower()) for one in ids if one)
