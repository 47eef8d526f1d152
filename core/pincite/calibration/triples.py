"""The calibration corpus: a question, a passage that answers it, and a near miss of the same field.

One file a field, a triple a line: ``{"lang", "query", "passage", "miss"[, "to"]}``; `to` is the language of the passages where it is not
the question's. All texts were written for this purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from pincite.errors import UsageError

KEYS = ("lang", "query", "passage", "miss")


@dataclass(frozen=True, slots=True)
class Triple:
    """One triple. `lang` is the question's language, `to` that of the passage and the near miss (ISO 639-1)."""

    field: str
    lang: str
    to: str
    query: str
    passage: str
    miss: str


def own_triples() -> list[Triple]:
    """The corpus that comes with pincite, by field."""
    folder = resources.files("pincite.calibration") / "triples"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda file: file.name)
    return [triple for file in files for triple in _parse(file.read_text("utf-8"), file.name, file.name[:-6])]


def read_triples(path: Path) -> list[Triple]:
    """Triples of a file of one's own; each line may name its ``field``. Raises `UsageError` that names the line."""
    try:
        return _parse(path.read_text("utf-8-sig"), str(path), "")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; give a file of one JSON object a line") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text; save it as UTF-8") from None


def halves(triples: Sequence[Triple]) -> tuple[list[Triple], list[Triple]]:
    """Two parts that share no field: the first, third, … by name, from which the figures are taken, and the others, which judge them."""
    fields = fields_of(triples)
    first = set(fields[::2])
    return [one for one in triples if one.field in first], [one for one in triples if one.field not in first]


def readable(triples: Iterable[Triple], languages: Sequence[str]) -> list[Triple]:
    """Those in languages that a model knows; all where it does not say."""
    known = set(languages)
    return [one for one in triples if not known or {one.lang, one.to} <= known]


def fields_of(triples: Iterable[Triple]) -> list[str]:
    """The fields there are, sorted."""
    return sorted({one.field for one in triples})


def _parse(text: str, where: str, field: str) -> list[Triple]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            lang, query, passage, miss = (str(row[key]) for key in KEYS)
            found.append(Triple(str(row.get("field", field)), lang, str(row.get("to", lang)), query, passage, miss))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(f"{where}, line {number}: not a JSON object with {', '.join(KEYS)}; correct it") from None
    return found
