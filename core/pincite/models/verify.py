"""Recorded vectors of fixed texts, computed again: proves tokenizer, prefixes, pooling and weights right, or names which is not.

A card's checks are in ``NAME.checks.toml`` beside it. Each has a text and its kind, its token count, its vector, and the vectors
that typical faults would give (``other``: fault → vector), so that a fault is named and not only noticed.
"""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from pincite.errors import ConfigError
from pincite.models.card import Card
from pincite.models.shelf import own_cards
from pincite.spec import Embedder

AGREES = 0.985
"""Least cosine to a recorded vector: int8 arithmetic stays above it on any processor."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Check:
    """One fixed text: `tokens` without special tokens and prefix, `vector` (width,), `other` fault → vector."""

    text: str
    kind: Literal["query", "passage"]
    tokens: int
    vector: Vector
    other: Mapping[str, Vector] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one check: `cosine` to the recorded vector; `fault` is "" or the name of what is wrong."""

    text: str
    kind: str
    cosine: float
    fault: str


def checks_of(card: Card, home: Path | None = None) -> list[Check]:
    """The checks of a card, none if it has none. Raises `ConfigError` for a broken file."""
    file = f"{card.name.lower()}.checks.toml"
    own = own_cards(home) / file if home is not None else None
    if own is not None and own.is_file():
        return parse_checks(own.read_text("utf-8"), str(own))
    shipped = resources.files("pincite.models").joinpath("cards", file)
    return parse_checks(shipped.read_text("utf-8"), file) if shipped.is_file() else []


def parse_checks(text: str, where: str) -> list[Check]:
    """Reads checks; `where` names the file in errors."""
    try:
        return [
            Check(
                one["text"],
                one["kind"],
                one["tokens"],
                _decode(one["vector"]),
                {fault: _decode(vector) for fault, vector in one.get("other", {}).items()},
            )
            for one in tomllib.loads(text)["check"]
        ]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"model checks {where}: broken ({error}); record them again") from None


def write_checks(checks: Sequence[Check]) -> str:
    """The checks as TOML: vectors are float16 in base64."""
    lines = []
    for one in checks:
        lines += ["[[check]]", f"text = {_quoted(one.text)}", f'kind = "{one.kind}"', f"tokens = {one.tokens}"]
        lines.append(f'vector = "{_encode(one.vector)}"')
        if one.other:
            lines.append("[check.other]")
            lines += [f'{fault} = "{_encode(vector)}"' for fault, vector in one.other.items()]
        lines.append("")
    return "\n".join(lines)


def verify(embedder: Embedder, checks: Sequence[Check]) -> list[Verdict]:
    """Computes every check again. `fault` is "tokenizer" where counts differ, else the fault whose vector it is, else "weights"."""
    found = []
    for one in checks:
        vector = embedder.embed([one.text], one.kind)[0]
        counted = embedder.count([one.text])[0]
        if vector.shape != one.vector.shape:
            found.append(Verdict(one.text, one.kind, 0.0, f"width ({vector.shape[0]}, recorded {one.vector.shape[0]})"))
            continue
        cosine = _cosine(vector, one.vector)
        found.append(Verdict(one.text, one.kind, cosine, _fault(one, counted, vector, cosine)))
    return found


def _fault(check: Check, counted: int, vector: Vector, cosine: float) -> str:
    if counted != check.tokens:
        return f"tokenizer ({counted} tokens, recorded {check.tokens})"
    likest = max(check.other, key=lambda fault: _cosine(vector, check.other[fault]), default=None)
    if likest is not None and _cosine(vector, check.other[likest]) > max(cosine, AGREES):
        return likest
    return "" if cosine >= AGREES else "weights"


def _cosine(one: Vector, other: Vector) -> float:
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-12))


def _decode(text: str) -> Vector:
    return np.frombuffer(base64.b64decode(text, validate=True), "<f2").astype(np.float32)


def _encode(vector: Vector) -> str:
    return base64.b64encode(vector.astype("<f2").tobytes()).decode("ascii")


def _quoted(text: str) -> str:
    escaped = "".join(f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 or c in '"\\' else c for c in text)
    return f'"{escaped}"'
