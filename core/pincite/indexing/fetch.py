"""Vectors that were made elsewhere: each provider is asked for the attachments that still want some."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pincite.errors import Cancelled, PinciteError
from pincite.indexing.report import Report
from pincite.plugin.use import using
from pincite.spec import Cancel, Provider, Store

PAGE = 50
"""Attachments in one question."""


def fetch(
    store: Store,
    providers: Mapping[str, Callable[[], Provider]],
    model: str,
    width: int,
    report: Report,
    cancelled: Cancel,
) -> None:
    """Asks in the order given; what one has not, the next may have. A provider that fails is named, and the rest goes on."""
    for name, make in providers.items():
        try:
            provider = make()
            wanted = _wanted(store, model)
            ids = list(wanted)
            for at in range(0, len(ids), PAGE):
                if cancelled():
                    raise Cancelled("stopped; run it again to go on")
                page = [found for id in ids[at : at + PAGE] if (found := store.attachment(id)) is not None]
                with using(f"provider.{name}"):
                    answers = provider.fetch(model, page)
                for id, rows in answers.items():
                    if rows is not None and id in wanted:
                        report.fetched += _adopt(store, model, width, wanted[id], rows)
        except Cancelled:
            raise
        except PinciteError as error:
            report.problems.append((f"provider {name}", str(error)))


def _wanted(store: Store, model: str) -> dict[str, list[int]]:
    """Attachment → its chunk rows without a vector."""
    wanted: dict[str, list[int]] = {}
    rows = store.pending(model)
    for row, chunk in store.chunks(rows).items():
        if chunk.attachment and chunk.child == chunk.attachment:
            wanted.setdefault(chunk.attachment, []).append(row)
    return wanted


def _adopt(
    store: Store, model: str, width: int, wanted: list[int], rows: Sequence[tuple[Mapping[str, Any], Any]]
) -> int:
    """Takes the vectors whose anchor is that of a chunk here; one that is not well formed declines them all."""
    by_anchor = {_mark(chunk.anchor): row for row, chunk in store.chunks(wanted).items()}
    found: dict[int, Any] = {}
    for anchor, vector in rows:
        flat = np.asarray(vector, np.float32).reshape(-1)
        if flat.shape != (width,) or not np.isfinite(flat).all() or abs(float(flat @ flat) - 1.0) > 0.02:
            return 0
        row = by_anchor.get(_mark(anchor))
        if row is not None:
            found[row] = flat
    kept = 0
    for row, vector in sorted(found.items()):
        for key, _ in store.embed_texts([row]):
            store.put_vectors(model, [key], vector[None, :])
            kept += 1
    return kept


def _mark(anchor: Mapping[str, Any]) -> str:
    return json.dumps(anchor, sort_keys=True)
