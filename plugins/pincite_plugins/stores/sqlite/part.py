"""What the parts of the store share."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apsw

IN_LIMIT = 500
"""Values in one IN (…): keeps each statement small and cached."""


class Part:
    """What a part may count on; `SqliteStore` provides it."""

    folder: Path
    packs: Path
    db: apsw.Connection

    def transaction(self) -> AbstractContextManager[apsw.Connection]:
        """One transaction."""
        raise NotImplementedError

    def rows_in(self, sql: str, values: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
        """Runs ``sql`` with its ``{}`` replaced by placeholders, in portions; yields the rows."""
        wanted = list(values)
        for at in range(0, len(wanted), IN_LIMIT):
            part = wanted[at : at + IN_LIMIT]
            yield from self.db.execute(sql.replace("{}", ",".join("?" * len(part))), part)


def folded(text: str) -> str:
    """A label for comparing: NFKC, case folded, trimmed."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def packed(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
