"""The third pass: a vector for every text that wants one."""

from __future__ import annotations

import time
from collections.abc import Callable

from pincite.errors import Cancelled, ItemsRefused
from pincite.indexing.report import Clock, Report, Tell
from pincite.plugin.use import using
from pincite.spec import Cancel, Embedder, Store

POOL = 512
"""Texts of many documents taken together, so that a call holds texts of like length."""

CALL = 32
"""Texts in one call of the embedder: the unit that is kept."""

CATCH_UP_EVERY = 15.0
"""Seconds between two times that the rankers take in new vectors."""


def embed(
    store: Store,
    embedder: Embedder,
    name: str,
    catch_up: Callable[[], None],
    report: Report,
    tell: Tell,
    clock: Clock,
    cancelled: Cancel,
) -> None:
    """Embeds what is pending. With a limit of time it stops as soon as it sees that the rest will not fit."""
    started = last = time.monotonic()
    model = embedder.facts.id
    rows = store.pending(model)
    total, done = len(rows), 0
    refused: list[ItemsRefused] = []
    tell("embed", 0, total, embedder.facts.name)
    for at in range(0, total, POOL):
        texts = sorted(store.embed_texts(rows[at : at + POOL]), key=lambda pair: (-len(pair[1]), pair[0]))
        done += len(rows[at : at + POOL]) - len(texts)
        for start in range(0, len(texts), CALL):
            if cancelled():
                raise Cancelled("stopped; run it again to go on")
            elapsed = time.monotonic() - started
            if clock.left <= 0 or (elapsed > 3.0 and elapsed / max(1, done) * (total - done) > clock.left * 1.2):
                catch_up()
                report.unfinished = f"{total - done} of {total} passages have no vector yet"
                report.seconds["embed"] = elapsed
                return
            part = texts[start : start + CALL]
            with using(f"embedder.{name}"):
                try:
                    vectors = embedder.embed([text for _, text in part], "passage", cancelled)
                    kept = list(range(len(part)))
                except ItemsRefused as error:
                    vectors = error.vectors
                    kept = [place for place in range(len(part)) if place not in error.reasons]
                    refused.append(error)
                store.put_vectors(model, [part[place][0] for place in kept], vectors[kept])
            done += len(part)
            report.embedded += len(kept)
            tell("embed", done, total, embedder.facts.name)
            if time.monotonic() - last > CATCH_UP_EVERY:
                catch_up()
                last = time.monotonic()
    catch_up()
    if refused:  # they keep waiting: the next run asks again
        count = sum(len(error.reasons) for error in refused)
        report.problems.append((f"embedder {name}", f"{count} passages have no vector: {refused[0]}"))
    report.seconds["embed"] = time.monotonic() - started
