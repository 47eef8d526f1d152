"""A head: the small file that says what the files beside it hold, with a checksum of its own."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pincite.whole import write_whole

HEAD = "head.json"

H = TypeVar("H")


def read_head(folder: Path, kind: Callable[..., H]) -> H | None:
    """The head of a folder, or None where there is none that is sound. `kind` is given its values by name."""
    try:
        data = json.loads((folder / HEAD).read_text("utf-8"))
        return kind(**data["head"]) if data["crc"] == _sum(data["head"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_head(folder: Path, values: Mapping[str, Any], *, lasting: bool = False) -> None:
    """Puts a head in place of the one before. `lasting`: it outlasts a power cut. Raises `OSError`."""
    write_whole(folder / HEAD, json.dumps({"head": values, "crc": _sum(values)}), lasting=lasting)


def _sum(values: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(values, sort_keys=True).encode())
