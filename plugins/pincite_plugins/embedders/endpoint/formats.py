"""The wire formats: what is sent, and vectors out of what comes back. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.text.well_formed import well_formed
from pincite_plugins.embedders.endpoint.failures import Failure, Kind, one_line

CAPS = {"openai": 2048, "tei": 32, "ollama": 50, "dashscope": 10}
"""Most texts that one request of a format may hold."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a request says besides its texts."""

    format: str
    model: str = ""
    encoding: str = "float"
    dimensions: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows in the order of the texts, float32 (n, width), not normalised; `tokens`
    counted by the server (0: not said); the `model` it names."""

    rows: npt.NDArray[np.float32]
    tokens: int = 0
    model: str = ""


def body(ask: Ask, texts: Sequence[str]) -> bytes:
    """The request's JSON in UTF-8. A lone surrogate is sent as a question mark."""
    texts = [well_formed(text) for text in texts]
    if ask.format == "tei":
        value: dict[str, Any] = {"inputs": texts, "normalize": True, "truncate": False}
    elif ask.format == "ollama":
        value = {"model": ask.model, "input": texts, "truncate": False}
    else:
        value = {"model": ask.model, "input": texts, "encoding_format": ask.encoding}
    if ask.dimensions and ask.format != "tei":
        value["dimensions"] = ask.dimensions
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


def parse(format: str, data: bytes, count: int) -> Answer:
    """Vectors of a reply to `count` texts. Raises `Failure` (REPLY) for anything that is not just that many finite rows of one width."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise Failure(Kind.REPLY, f"the reply is not JSON: {one_line(data[:400].decode('utf-8', 'replace'))}") from None
    if format == "tei":
        rows, tokens, model = _plain(value), 0, ""
    elif format == "ollama":
        found = _object(value)
        rows, tokens, model = (
            _plain(found.get("embeddings")),
            _number(found.get("prompt_eval_count")),
            _text(found.get("model")),
        )
    else:
        found = _object(value)
        usage = found.get("usage")
        rows = _openai(found.get("data"), count)
        tokens = _number(usage.get("total_tokens") or usage.get("prompt_tokens")) if isinstance(usage, dict) else 0
        model = _text(found.get("model"))
    return Answer(checked(rows, count), tokens, model)


def checked(rows: Sequence[npt.NDArray[np.float32]], count: int) -> npt.NDArray[np.float32]:
    """The rows as one array. Raises `Failure` where they are not `count` finite vectors of one width and some length."""
    if len(rows) != count:
        raise Failure(Kind.REPLY, f"{len(rows)} vectors for {count} texts")
    widths = {len(row) for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise Failure(Kind.REPLY, f"vectors of several widths: {', '.join(map(str, sorted(widths)))}")
    found = np.stack(rows)
    if not np.isfinite(found).all():
        raise Failure(Kind.REPLY, "a vector that holds NaN or infinity")
    if not (np.linalg.norm(found, axis=1) > 1e-6).all():
        raise Failure(Kind.REPLY, "a vector of zeros")
    return found


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Failure(Kind.REPLY, f"the reply is not an object but {_kind(value)}")
    if "error" in value and not ({"data", "embeddings"} & value.keys()):
        raise Failure(Kind.REPLY, f"the server says: {one_line(said(value))}")
    return value


def said(value: Any) -> str:
    """The message in an error's JSON."""
    if isinstance(value, dict):
        for key in ("message", "error", "detail", "msg"):
            if value.get(key):
                return said(value[key])
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:400]


def _openai(value: Any, count: int) -> list[npt.NDArray[np.float32]]:
    if not isinstance(value, list):
        raise Failure(Kind.REPLY, f"no list 'data' in the reply but {_kind(value)}")
    if len(value) != count:
        raise Failure(Kind.REPLY, f"{len(value)} vectors for {count} texts")
    rows: dict[int, npt.NDArray[np.float32]] = {}
    for place, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise Failure(Kind.REPLY, f"an entry of 'data' is {_kind(entry)}")
        index = entry.get("index", place)
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count or index in rows:
            raise Failure(Kind.REPLY, f"'index' {index!r} twice or out of range in a reply to {count} texts")
        rows[index] = _row(entry.get("embedding"))
    return [rows[index] for index in range(count)]


def _plain(value: Any) -> list[npt.NDArray[np.float32]]:
    if not isinstance(value, list):
        raise Failure(Kind.REPLY, f"no list of vectors in the reply but {_kind(value)}")
    return [_row(row) for row in value]


def _row(value: Any) -> npt.NDArray[np.float32]:
    """One vector: a list of numbers, or base64 of little-endian float32."""
    if isinstance(value, str):
        try:
            raw = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise Failure(Kind.REPLY, "a vector is a text that is not base64") from None
        if len(raw) % 4:
            raise Failure(Kind.REPLY, "a vector's base64 is cut short")
        return np.frombuffer(raw, "<f4").astype(np.float32)
    if not isinstance(value, list):
        raise Failure(Kind.REPLY, f"a vector is {_kind(value)}")
    if value and isinstance(value[0], list):
        raise Failure(
            Kind.REPLY,
            "several vectors for one text: the server does not pool tokens; start it with the model's pooling",
        )
    if not all(type(number) in (float, int) for number in value):
        raise Failure(Kind.REPLY, "a vector holds something other than numbers")
    try:
        with np.errstate(over="ignore"):
            return np.array(value, np.float32)
    except OverflowError:
        raise Failure(Kind.REPLY, "a vector holds a number beyond float32") from None


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")


def _number(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and 0 <= value < 2**53 else 0


def _text(value: Any) -> str:
    return one_line(value, 100) if isinstance(value, str) else ""
