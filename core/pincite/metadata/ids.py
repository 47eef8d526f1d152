"""Ids for items whose library gives them none, or the same one twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence


def unique_ids(keys: Sequence[str], contents: Sequence[str]) -> list[str]:
    """An id for each item: its key; where that is empty or was used before, the key with a mark made of the item's own
    `contents`, so that the id stays the same when other items come and go."""
    used: Counter[str] = Counter()
    ids: list[str] = []
    for key, content in zip(keys, contents, strict=True):
        id = key
        if not id or used[id]:
            marked = f"{key}~{hashlib.blake2b(content.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
            id, number = marked, 1
            while used[id]:  # the very same item once more
                number += 1
                id = f"{marked}-{number}"
        used[id] += 1
        ids.append(id)
    return ids


def repeated(keys: Sequence[str]) -> str:
    """One line on the keys that are used more than once; "" if none is."""
    twice = [key for key, count in Counter(key for key in keys if key).items() if count > 1]
    if not twice:
        return ""
    shown = ", ".join(twice[:5]) + (", …" if len(twice) > 5 else "")
    are = "1 key is" if len(twice) == 1 else f"{len(twice)} keys are"
    return f"{are} used more than once ({shown}); all these items are kept"
