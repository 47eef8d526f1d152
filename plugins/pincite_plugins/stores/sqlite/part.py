"""What the parts of the store share."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apsw

from pincite.text.well_formed import well_formed

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

    def _suspect(self, what: str) -> None:
        """Writes down that something may be damaged, for the next run to look into."""
        raise NotImplementedError


def folded(text: str) -> str:
    """A label for comparing: NFKC, case folded, trimmed."""
    return well_formed(unicodedata.normalize("NFKC", text).casefold().strip())


def packed(value: Any) -> str:
    """A value as compact JSON that SQLite can keep: lone surrogates are escaped."""
    return storable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def storable(text: str) -> str:
    """JSON with lone surrogates escaped: they have no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text
