"""The window: a text that fills it must get its own vector."""

from __future__ import annotations

import numpy as np

from pincite.endpoints.agreement import centred, unit
from pincite.endpoints.records import Verdict
from pincite.endpoints.texts import fitted
from pincite.spec import Vectors
from pincite_plugins.embedders.endpoint.failures import Failure, Kind
from pincite_plugins.embedders.endpoint.subject import Found, Subject

BEYOND = 64
"""Tokens by which the text beyond the window exceeds it."""
CUT = 0.90
"""Least centred cosine of the text at the window's end. A text cut to three quarters is told by being nearer to its own vector."""


def check_window(subject: Subject, centre: Vectors, other: Vectors, width: int, says: str) -> tuple[float, str]:
    """A text that fills the window must get its vector; what is done with one beyond is only noted, for it is never sent."""
    assert subject.local is not None
    text = fitted(subject.count, subject.window)
    lengths = (4, 3, 2, 1)
    words = text.split(" ")
    cuts = [" ".join(words[: max(1, len(words) * quarter // 4)]) for quarter in lengths]
    expected = subject.local.embed(cuts, "passage", subject.cancelled)
    try:
        row = unit(subject.ask([text]).rows)
    except Failure as failure:
        if failure.kind not in (Kind.SIZE, Kind.ITEM):
            raise
        raise Found(
            subject.found(
                Verdict.CONTEXT_TOO_SMALL,
                f"a text of {subject.count([text])[0]} tokens is refused: {failure.seen}",
                f"give each slot a context and a batch of {subject.window + 32} tokens or more (pincite endpoint facts)",
                width=width,
                says=says,
            )
        ) from None
    cosines = centred(expected, np.repeat(row, len(cuts), axis=0), centre, other)
    if cosines[0] < CUT or cosines.argmax() != 0:
        quarter = lengths[int(cosines.argmax())]
        about = f", as if cut to {quarter * subject.window // 4} tokens or so" if quarter < 4 else ""
        raise Found(
            subject.found(
                Verdict.CONTEXT_TOO_SMALL,
                f"short texts agree, but one of {subject.window} tokens has another vector (agreement {cosines[0]:.3f}){about}",
                f"raise the server's maximum input to {subject.window + 32} tokens or more (pincite endpoint facts)",
                width=width,
                says=says,
                figures={"window": round(float(cosines[0]), 4)},
            )
        )
    return round(float(cosines[0]), 4), _beyond(subject)


def _beyond(subject: Subject) -> str:
    text = fitted(subject.count, subject.window + BEYOND)
    try:
        subject.ask([text])
    except Failure as failure:
        return f"refused ({failure.seen})" if failure.kind in (Kind.SIZE, Kind.ITEM) else str(failure.kind)
    return "answered"
