"""What was found of an endpoint, kept in a file of its own: ``home/endpoints/KEY.json``, keyed to address, model and format."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.errors import PinciteError
from pincite.whole import write_whole

SCHEMA = 1


class Verdict(StrEnum):
    """What a verification says."""

    OK = "ok"
    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    NOT_EMBEDDINGS = "not-embeddings"
    WIDTH_MISMATCH = "width-mismatch"
    LOW_AGREEMENT = "low-agreement"
    CONTEXT_TOO_SMALL = "context-too-small"


@dataclass(frozen=True, slots=True)
class Identity:
    """What a verification is valid for. Never a key."""

    url: str
    format: str
    model: str
    server_model: str
    prefix: str
    dimensions: int = 0

    @property
    def key(self) -> str:
        """A short name for a file."""
        text = "\n".join(map(str, asdict(self).values()))
        return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=10).hexdigest()


@dataclass(frozen=True)
class Verification:
    """`seen` and `remedy` are one line each. `sentinels` (2, width) and `centre` (width): what later batches are compared with.
    `says`: the model that the server names. `revision` counts the models seen behind an address that is trusted by itself."""

    identity: Identity
    verdict: Verdict
    seen: str
    remedy: str = ""
    at: int = 0
    width: int = 0
    revision: int = 1
    says: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    sentinels: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    centre: npt.NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def ok(self) -> bool:
        """Whether the endpoint may be used."""
        return self.verdict is Verdict.OK

    @property
    def line(self) -> str:
        """For a person."""
        return f"{self.verdict}: {self.seen}" + (f"; {self.remedy}" if self.remedy else "")

    def public(self) -> dict[str, Any]:
        """Plain data for ``--json``, without vectors."""
        return {
            **asdict(self.identity),
            "verdict": str(self.verdict),
            "seen": self.seen,
            "remedy": self.remedy,
            "at": self.at,
            "width": self.width,
            "revision": self.revision,
            "says": self.says,
            "figures": dict(self.figures),
        }


def save(home: Path, found: Verification) -> None:
    """Writes it beside and renames."""
    folder = home / "endpoints"
    path = folder / f"{found.identity.key}.json"
    value = {"schema": SCHEMA, **found.public(), "sentinels": _pack(found.sentinels), "centre": _pack(found.centre)}
    try:
        write_whole(path, json.dumps(value, ensure_ascii=False, indent=1))
    except OSError as error:
        raise PinciteError(
            f"{folder} cannot be written ({error.strerror}); free some space or set PINCITE_HOME"
        ) from error


def load(home: Path, identity: Identity) -> Verification | None:
    """The last verification of an endpoint; None where there is none that can be read."""
    try:
        value = json.loads((home / "endpoints" / f"{identity.key}.json").read_text("utf-8"))
        if value["schema"] != SCHEMA or any(value[name] != one for name, one in asdict(identity).items()):
            return None
        width = int(value["width"])
        found = Verification(
            identity,
            Verdict(value["verdict"]),
            value["seen"],
            value["remedy"],
            int(value["at"]),
            width,
            int(value["revision"]),
            value["says"],
            value["figures"],
        )
        sentinels, centre = _unpack(value["sentinels"], (-1, width)), _unpack(value["centre"], (width,))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if found.ok and (sentinels is None or centre is None):
        return None
    return replace(found, sentinels=sentinels, centre=centre)


def _pack(rows: npt.NDArray[np.float32] | None) -> str:
    return "" if rows is None else base64.b64encode(np.ascontiguousarray(rows, "<f4").tobytes()).decode("ascii")


def _unpack(text: str, shape: tuple[int, ...]) -> npt.NDArray[np.float32] | None:
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32).reshape(shape) if text else None
