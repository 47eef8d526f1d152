"""The verification of a server: fixed texts embedded both ways, and a verdict (specs/22-endpoints.md)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pincite.endpoints.agreement import SAME, SHIFT, Agreement, agreement, centred, twins
from pincite.endpoints.records import Verdict, Verification
from pincite.endpoints.texts import FIXED, SENTINELS, fitted
from pincite.spec import Vectors
from pincite_plugins.embedders.endpoint.failures import Failure, Kind
from pincite_plugins.embedders.endpoint.server import remedy
from pincite_plugins.embedders.endpoint.subject import Found, Subject, rows_of
from pincite_plugins.embedders.endpoint.window import check_window

SHORT = 24
"""Tokens of a text that no server cuts."""


def verify(subject: Subject) -> Verification:
    """Embeds the fixed texts and says what was seen. Raises `Cancelled`; everything that a server can do wrong is a verdict."""
    subject.server.record = None
    try:
        width, says = _first(subject)
        return (
            _against_local(subject, width, says) if subject.local is not None else _against_itself(subject, width, says)
        )
    except Found as verdict:
        return verdict.found
    except Failure as failure:
        return _of_failure(subject, failure)


def _of_failure(subject: Subject, failure: Failure) -> Verification:
    verdicts = {
        Kind.NETWORK: Verdict.UNREACHABLE,
        Kind.SERVER: Verdict.UNREACHABLE,
        Kind.RATE: Verdict.UNREACHABLE,
        Kind.AUTHORISATION: Verdict.UNAUTHORIZED,
        Kind.SIZE: Verdict.CONTEXT_TOO_SMALL,
    }
    return subject.found(verdicts.get(failure.kind, Verdict.NOT_EMBEDDINGS), failure.seen, remedy(failure.kind))


def _first(subject: Subject) -> tuple[int, str]:
    """One short text: whether it is there, lets us in, and gives vectors of the right width."""
    try:
        answer = subject.ask(SENTINELS[:1])
    except Failure as failure:
        if not failure.slow:
            raise
        answer = subject.ask(SENTINELS[:1])  # some servers load their model when they are first asked
    width = int(answer.rows.shape[1])
    wanted = subject.facts.width if subject.facts is not None else subject.server.settings.dimensions
    if wanted and width != wanted:
        raise Found(
            subject.found(
                Verdict.WIDTH_MISMATCH,
                f"vectors are {width} numbers wide, those of {subject.identity.model} {wanted}",
                "serve the model of `pincite endpoint facts`, or set [embedder] server_model to what the server calls it",
                width=width,
                says=answer.model,
            )
        )
    return width, answer.model


def _both_orders(subject: Subject, texts: Sequence[str]) -> Vectors:
    """The vectors, once in this order and once in another; they must not depend on it."""
    rows = rows_of(subject, texts)
    order = np.random.default_rng(22).permutation(len(texts))
    again = np.empty_like(rows)
    again[order] = rows_of(subject, [texts[place] for place in order])
    lowest = float(centred(rows, again, rows.mean(axis=0)).min())
    if lowest < SAME:
        raise Found(
            subject.found(
                Verdict.LOW_AGREEMENT,
                f"the same text gives different vectors (agreement {lowest:.3f}) when its place in a request changes",
                "the server mixes up the order of its texts, or several models answer at this address; mend the server",
            )
        )
    same = twins(rows)
    if same:
        one, other = (texts[place] for place in same[0])
        raise Found(
            subject.found(
                Verdict.NOT_EMBEDDINGS,
                f"{len(same)} texts have the vector of another ({one[:24]!r} and {other[:24]!r})",
                remedy(Kind.REPLY),
            )
        )
    return rows


def _against_local(subject: Subject, width: int, says: str) -> Verification:
    assert subject.local is not None
    assert subject.facts is not None
    texts = [*SENTINELS, *FIXED.values()]
    expected = subject.local.embed(texts, "passage", subject.cancelled)
    rows = _both_orders(subject, texts)
    seen = agreement(expected, rows)
    if not seen.good:
        raise Found(_disagreement(subject, texts, expected, rows, seen, width, says))
    figures: dict[str, object] = dict(seen.figures())
    figures["window"], figures["beyond"] = check_window(subject, expected.mean(axis=0), rows.mean(axis=0), width, says)
    return subject.found(
        Verdict.OK,
        f"vectors agree with the local model's ({seen})",
        width=width,
        says=says,
        figures=figures,
        sentinels=rows[:2].copy(),
        centre=np.asarray(rows.mean(axis=0), np.float32),
    )


def _disagreement(
    subject: Subject, texts: Sequence[str], expected: Vectors, rows: Vectors, seen: Agreement, width: int, says: str
) -> Verification:
    """Low agreement, with what it looks like; or a window so small that it shows in an ordinary text."""
    short = [place for place, tokens in enumerate(subject.count(texts)) if tokens <= SHORT]
    if agreement(expected[short], rows[short]).good:
        return subject.found(
            Verdict.CONTEXT_TOO_SMALL,
            f"texts of up to {SHORT} tokens agree, longer ones do not ({seen}), as if cut",
            f"raise the server's maximum input to {subject.window + 32} tokens or more (pincite endpoint facts)",
            width=width,
            says=says,
            figures=seen.figures(),
        )
    assert subject.local is not None
    of_queries = agreement(subject.local.embed(texts, "query", subject.cancelled), rows)
    if of_queries.median > seen.median and of_queries.good:
        looks, advice = (
            "they are vectors of queries",
            "the server adds the query prefix: have it add the passage prefix, or set server_model",
        )
    elif seen.own < 0.5:
        looks, advice = "they are of another model", "serve the model of `pincite endpoint facts`"
    elif seen.shift > SHIFT:
        looks, advice = (
            "they look like another pooling, or another model",
            "start the server with the model and the pooling of `pincite endpoint facts`",
        )
    else:
        looks = "they look like another prefix, or none"
        advice = 'set [embedder] prefix = "client", or "server" if the server adds the passage prefix itself'
    return subject.found(
        Verdict.LOW_AGREEMENT,
        f"{looks} ({seen})",
        advice,
        width=width,
        says=says,
        figures=seen.figures(),
    )


def _against_itself(subject: Subject, width: int, says: str) -> Verification:
    texts = [*SENTINELS, *FIXED.values()]
    rows = _both_orders(subject, texts)
    queries = rows_of(subject, SENTINELS, query=True)
    if queries.shape[1] != width:
        raise Failure(Kind.REPLY, f"vectors of queries are {queries.shape[1]} numbers wide, those of passages {width}")
    centre = rows.mean(axis=0)
    full = fitted(subject.count, subject.window)
    try:
        ends = rows_of(subject, [full, full[: len(full) // 2]])
    except Failure as failure:
        if failure.kind not in (Kind.SIZE, Kind.ITEM):
            raise
        raise Found(
            subject.found(
                Verdict.CONTEXT_TOO_SMALL,
                f"a text of about {subject.window} tokens is refused: {failure.seen}",
                "lower [embedder] window to what the server takes",
            )
        ) from None
    if float(centred(ends[:1], ends[1:], centre)[0]) > 1 - 1e-5:
        raise Found(
            subject.found(
                Verdict.CONTEXT_TOO_SMALL,
                f"the second half of a text of about {subject.window} tokens makes no difference",
                "lower [embedder] window to what the server takes",
            )
        )
    sentinels = np.concatenate([rows[:2], queries])
    before = subject.before
    revision = 1
    if before is not None and before.ok and before.sentinels is not None and before.centre is not None:
        known = (
            before.sentinels.shape == sentinels.shape
            and centred(before.sentinels, sentinels, before.centre).min() >= SAME
        )
        revision = before.revision + (0 if known else 1)
    return subject.found(
        Verdict.OK,
        f"the server agrees with itself; its vectors are {width} numbers wide",
        width=width,
        revision=revision,
        says=says,
        sentinels=sentinels,
        centre=np.asarray(centre, np.float32),
    )
