"""The answer that was shown last, so that `open 2` or `cite 2.1` can point into it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pincite.errors import UsageError
from pincite.values.quick import dataclass
from pincite.values.results import Hit
from pincite.whole import write_whole

FILE = "last-search.json"
"""Below pincite's data folder."""

MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class LastHit:
    """A hit as it was shown: its item's id and the ids of its passages."""

    item: str
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Last:
    """`library` is its name in the configuration, else its path; `config` the configuration file that was named, or ""."""

    library: str
    query: str
    engine: str
    hits: tuple[LastHit, ...] = ()
    config: str = ""


def remember(home: Path, library: str, query: str, engine: str, hits: Sequence[Hit], config: str = "") -> None:
    """Keeps what is shown, in one step. A folder that cannot be written to costs nothing but this."""
    last = Last(
        library,
        query,
        engine,
        tuple(LastHit(hit.item.id, tuple(passage.id for passage in hit.passages)) for hit in hits),
        config,
    )
    with contextlib.suppress(OSError):
        write_whole(home / FILE, json.dumps(asdict(last), ensure_ascii=True))


def recall(home: Path) -> Last | None:
    """What was shown last, or None where nothing was or it does not read back."""
    try:
        path = home / FILE
        if path.stat().st_size > MOST_BYTES:
            return None
        data = json.loads(path.read_text("utf-8"))
        hits = tuple(LastHit(one["item"], tuple(one["passages"])) for one in data.pop("hits"))
        return Last(**data, hits=hits)
    except (OSError, ValueError, TypeError, KeyError):
        return None


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a person points at: a passage id, or an item's where the hit had no passage."""

    item: str = ""
    passage: str = ""


def point(last: Last | None, where: str) -> Pointed:
    """ "2": the best passage of the second hit; "2.3": its third; anything else is a passage id as it stands.

    Raises `UsageError` for a number that was not shown.
    """
    match = re.fullmatch(r"(\d{1,6})(?:\.(\d{1,4}))?", where.strip())
    if match is None:
        return Pointed(passage=where.strip())
    if last is None:
        raise UsageError(f"there are no results that '{where}' could point into; search first, or give a passage id")
    number = int(match[1])
    if not last.hits:
        raise UsageError(
            f"the last search (“{last.query}”) found nothing that '{where}' could point into; search again"
        )
    if not 1 <= number <= len(last.hits):
        raise UsageError(f"the last results (“{last.query}”) are numbered 1 to {len(last.hits)}; there is no {number}")
    hit = last.hits[number - 1]
    which = int(match[2]) if match[2] else 1
    if not hit.passages and not match[2]:
        return Pointed(item=hit.item)
    if not 1 <= which <= len(hit.passages):
        raise UsageError(f"hit {number} of the last results has {len(hit.passages)} passages; there is no {where}")
    return Pointed(item=hit.item, passage=hit.passages[which - 1])
