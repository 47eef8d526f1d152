"""Results as JSON (specs/10-search-json.md)."""

from __future__ import annotations

from typing import Any

from pincite.values.library import Item
from pincite.values.results import Hit, Passage, Results

SCHEMA = 1


def results_json(results: Results) -> dict[str, Any]:
    """The whole answer as plain data."""
    return {
        "schema": SCHEMA,
        "query": results.query,
        "engine": results.engine,
        "degraded": results.degraded,
        "understood": list(results.understood),
        "suggestions": {word: list(near) for word, near in results.suggestions.items()},
        "total": results.total,
        "hits": [hit_json(hit) for hit in results.hits],
    }


def item_json(item: Item) -> dict[str, Any]:
    """A work in short."""
    return {
        "id": item.id,
        "kind": item.kind,
        "title": item.title,
        "creators": [creator.name for creator in item.creators],
        "year": item.year,
        "doi": item.doi or None,
        "key": item.key or None,
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """One hit."""
    return {
        "rank": hit.rank,
        "relevance": round(hit.relevance, 4),
        "item": item_json(hit.item),
        "evidence": {
            name: {"score": round(shown.score, 6), "fraction": round(shown.fraction, 4), "rank": shown.rank}
            for name, shown in hit.evidence.items()
        },
        "passages": [passage_json(passage) for passage in hit.passages],
        "more_passages": hit.more_passages,
        "low_confidence": hit.low_confidence,
        "unread": dict(hit.unread),
    }


def passage_json(passage: Passage) -> dict[str, Any]:
    """One passage. `marks` are [start, end) in `sentence`, in code points."""
    return {
        "id": passage.id,
        "kind": passage.kind,
        "text": passage.text,
        "sentence": passage.sentence,
        "at": list(passage.at),
        "marks": [list(mark) for mark in passage.marks],
        "section": list(passage.section),
        "page": passage.page,
        "page_label": passage.page_label,
        "anchor": passage.anchor,
        "attachment": passage.attachment,
        "link": passage.link,
        "indexed": passage.indexed,
        "evidence": {
            name: {"score": round(shown.score, 6), "fraction": round(shown.fraction, 4)}
            for name, shown in passage.evidence.items()
        },
    }
