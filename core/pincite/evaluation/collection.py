"""Reading a test collection: queries and judgements."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError


@dataclass(frozen=True)
class Judged:
    """A query of a collection. `lang` is "" where the collection does not say."""

    id: str
    text: str
    lang: str = ""


def read_queries(folder: Path) -> list[Judged]:
    """``queries.jsonl``: {"id", "text"[, "lang"]} a line."""
    return [
        Judged(str(row["id"]), str(row["text"]), str(row.get("lang", "")))
        for row in _lines(folder / "queries.jsonl", ("id", "text"))
    ]


def read_qrels(folder: Path) -> dict[str, dict[str, int]]:
    """``qrels.tsv``: query, document, grade."""
    path = folder / "qrels.tsv"
    out: dict[str, dict[str, int]] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        parts = line.split("\t")
        if not line.strip() or (number == 1 and not parts[-1].lstrip("-").isdecimal()):
            continue
        try:
            query, document, grade = parts
            out.setdefault(query, {})[document] = int(grade)
        except ValueError:
            raise UsageError(f"{path}, line {number}: not 'query<TAB>document<TAB>grade'; correct it") from None
    return out


def _lines(path: Path, keys: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not all(key in row for key in keys):
                raise ValueError
        except (ValueError, TypeError):
            raise UsageError(
                f"{path}, line {number}: not a JSON object with {' and '.join(keys)}; correct it"
            ) from None
        yield row


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror}; a collection has docs.jsonl, queries.jsonl and qrels.tsv"
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text; save it as UTF-8") from None
