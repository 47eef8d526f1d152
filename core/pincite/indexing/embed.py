"""The last pass: a vector for every text that wants one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.errors import Cancelled, ItemsRefused, PinciteError
from pincite.indexing.diagnostics import Gauge
from pincite.indexing.report import Clock, Report, Tell
from pincite.plugin.use import using
from pincite.spec import Cancel, Embedder, Store
from pincite.values.search import Rows

POOL = 512
"""Texts of many documents taken together, so that a call holds texts of like length."""

CALL = 32
"""Texts in one call of the embedder: the unit that is kept. Halved under memory pressure."""

CALM = 16
"""Calls without pressure after which a call may hold twice as many texts again."""

CATCH_UP_EVERY = 15.0
"""Seconds between two times that the rankers take in new vectors."""

FAILURES = 3
"""Single texts that fail one after another until the embedder itself counts as broken."""

Pair = tuple[bytes, str]


@dataclass
class Embedding:
    """What the pass works with, and how it stands. `pressure` asks whether memory is scarce."""

    store: Store
    embedder: Embedder
    name: str
    catch_up: Callable[[], None]
    between: Callable[[], bool]
    pressure: Callable[[], bool]
    gauge: Gauge
    call: int = CALL
    calm: int = 0
    failures: int = 0
    skipped: set[bytes] = field(default_factory=set)


def embed(work: Embedding, report: Report, tell: Tell, clock: Clock, cancelled: Cancel) -> None:
    """Embeds what is pending. With a limit of time it stops as soon as it sees that the rest will not fit. What `between` has brought
    in (it says so) is pending too: items, notes and annotations come first again."""
    started = time.monotonic()
    model = work.embedder.facts.id
    done = 0
    refused: list[ItemsRefused] = []
    try:
        more = True
        while more:
            rows = work.store.pending(model)
            more, done = _round(work, rows, done, started, refused, report, tell, clock, cancelled)
    finally:
        report.seconds["embed"] = report.seconds.get("embed", 0.0) + time.monotonic() - started
        work.gauge.seen(work.embedder)
    work.catch_up()
    if refused:  # they keep waiting: the next run asks again
        count = sum(len(error.reasons) for error in refused)
        report.problems.append((f"embedder {work.name}", f"{count} passages have no vector: {refused[0]}"))


def _round(
    work: Embedding, rows: Rows, before: int, started: float, refused: list[ItemsRefused], report: Report, tell: Tell, clock: Clock,
    cancelled: Cancel,
) -> tuple[bool, int]:  # fmt: skip
    """One round over what is pending now; (whether another is due, texts done)."""
    done, total = before, before + len(rows)
    last = time.monotonic()
    tell("embed", done, total, work.embedder.facts.name)
    for at in range(0, len(rows), POOL):
        part = rows[at : at + POOL]
        texts = [pair for pair in work.store.embed_texts(part) if pair[0] not in work.skipped]
        texts.sort(key=lambda pair: (-len(pair[1]), pair[0]))
        done += len(part) - len(texts)  # no text to be had: the next run reads their files again
        while texts:
            if cancelled():
                raise Cancelled("stopped; run it again to go on")
            elapsed = time.monotonic() - started
            rate = elapsed / max(1, done)
            if clock.left <= 0 or (elapsed > 3.0 and rate * (total - done) > clock.left * 1.2):
                report.unfinished = f"{total - done:,} of {total:,} passages have no vector yet"
                return False, done
            call, texts = texts[: work.call], texts[work.call :]
            report.embedded += _embed(work, call, refused, report, cancelled)
            done += len(call)
            tell("embed", done, total, work.embedder.facts.name)
            _ease(work)
            if time.monotonic() - last > CATCH_UP_EVERY:
                work.catch_up()
                last = time.monotonic()
            if work.between():
                return True, done
    return False, done


def _embed(work: Embedding, call: list[Pair], refused: list[ItemsRefused], report: Report, cancelled: Cancel) -> int:
    """One call, kept in one transaction. Where it fails it is halved, down to the one text that is at fault, which is left out."""
    try:
        with using(f"embedder.{work.name}"):
            began = time.monotonic()
            try:
                vectors = work.embedder.embed([text for _, text in call], "passage", cancelled)
                kept = list(range(len(call)))
            except ItemsRefused as error:
                vectors = error.vectors
                kept = [place for place in range(len(call)) if place not in error.reasons]
                refused.append(error)
            work.gauge.called(len(call), time.monotonic() - began)
    except Cancelled:
        raise
    except (PinciteError, MemoryError) as error:
        if isinstance(error, MemoryError):
            work.embedder.close()
            work.gauge.restarts += 1
        if len(call) > 1:
            half = len(call) // 2
            return _embed(work, call[:half], refused, report, cancelled) + _embed(
                work, call[half:], refused, report, cancelled
            )
        work.failures += 1
        if work.failures >= FAILURES:
            if isinstance(error, MemoryError):
                raise PinciteError(
                    "not enough memory to embed; close other programs and run it again, nothing is lost"
                ) from None
            raise
        work.skipped.add(call[0][0])
        report.problems.append((f"embedder {work.name}", f"a passage has no vector: {error} ({call[0][1][:60]!r})"))
        return 0
    work.failures = 0
    work.store.put_vectors(work.embedder.facts.id, [call[place][0] for place in kept], vectors[kept])
    return len(kept)


def _ease(work: Embedding) -> None:
    """Under memory pressure calls are halved and the engine is made anew, which gives its memory back; later they grow again."""
    if work.pressure():
        work.calm = 0
        if work.call > 1:  # at one text a call there is no more to give
            work.call //= 2
            work.embedder.close()
            work.gauge.restarts += 1
        return
    work.calm += 1
    if work.calm >= CALM and work.call < CALL:
        work.call, work.calm = min(CALL, work.call * 2), 0
