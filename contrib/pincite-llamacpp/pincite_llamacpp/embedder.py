"""The embedder over llama-cpp-python."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pincite.endpoints.agreement import agreement, unit
from pincite.endpoints.records import Identity, Verdict, Verification, load, save
from pincite.endpoints.texts import FIXED, SENTINELS
from pincite.errors import Cancelled, ConfigError, PinciteError
from pincite.models.shelf import find_card
from pincite.spec import Cancel, Context, Embedder, ModelFacts, Vectors
from pincite_llamacpp import LlamaCppSettings

SEQUENCES = 256
"""llama-cpp-python gives a context so many sequences, and llama.cpp ends the process where a batch is no multiple of them
(https://github.com/ggml-org/llama.cpp/issues/27175)."""


class LlamaCppEmbedder:
    """An `Embedder` (pincite.spec). Queries, counts, empty texts and texts beyond the window are the local model's."""

    def __init__(self, settings: LlamaCppSettings, context: Context) -> None:
        if context.make is None:
            raise PinciteError(
                "llamacpp was made without a way to reach other plugins; open a library with pincite.open"
            )
        own = dict(settings.local)
        self.local: Embedder = context.make("embedder", str(own.pop("use", "onnx")), {"model": settings.model, **own})
        self._card = find_card(settings.model, context.home)
        self._settings = settings
        self._context = context
        self._engine: Any = None

    @property
    def facts(self) -> ModelFacts:
        """The local model's: the file is used only while its vectors are that model's."""
        return self.local.facts

    def count(self, texts: Sequence[str]) -> list[int]:
        """Token counts of the local model."""
        return self.local.count(texts)

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """One unit vector a text. Raises `PinciteError` where the file is missing or of another model."""
        if kind == "query" or not texts:
            return self.local.embed(texts, kind, cancelled)
        engine = self._verified(cancelled)
        counts = self.count(texts)
        own = [place for place, text in enumerate(texts) if text.strip() and counts[place] <= self.facts.window]
        rest = sorted(set(range(len(texts))) - set(own))
        found = np.zeros((len(texts), self.facts.width), np.float32)
        for place in own:
            if cancelled():
                raise Cancelled("embedding cancelled")
            found[place] = self._vectors(engine, [texts[place]])[0]
        if rest:
            found[rest] = self.local.embed([texts[place] for place in rest], kind, cancelled)
        return found

    def close(self) -> None:
        """Gives the memory of both models back."""
        self.local.close()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def verify(self, cancelled: Cancel = lambda: False) -> Verification:
        """Compares the file's vectors with the local model's (specs/22-endpoints.md) and keeps the verdict."""
        engine = self._opened()
        texts = [*SENTINELS, *FIXED.values()]
        rows = self._vectors(engine, texts)
        identity = self._identity()
        if rows.shape[1] != self.facts.width:
            seen = f"vectors are {rows.shape[1]} numbers wide, those of {identity.model} {self.facts.width}"
            found = Verification(
                identity, Verdict.WIDTH_MISMATCH, seen, "give the GGUF file of that model", int(time.time())
            )
        else:
            figures = agreement(self.local.embed(texts, "passage", cancelled), rows)
            verdict = Verdict.OK if figures.good else Verdict.LOW_AGREEMENT
            found = Verification(
                identity,
                verdict,
                f"{figures}",
                "" if figures.good else "give the GGUF file of that model, with its pooling",
                int(time.time()),
                rows.shape[1],
                figures=figures.figures(),
                sentinels=rows[:2],
                centre=rows.mean(axis=0),
            )
        save(self._context.home, found)
        return found

    # -- steps
    def _verified(self, cancelled: Cancel) -> Any:
        if self._engine is None:
            known = load(self._context.home, self._identity())
            if known is None or not known.ok:
                found = self.verify(cancelled)
                if not found.ok:
                    raise PinciteError(f"{self._file}: {found.line}")
        return self._opened()

    @property
    def _file(self) -> Path:
        if not self._settings.file:
            raise ConfigError("[embedder] file: missing; give the path of a GGUF file")
        return Path(self._settings.file).expanduser()

    def _identity(self) -> Identity:
        """Of the file as it is: its size and first bytes change with its weights and metadata."""
        try:
            with self._file.open("rb") as file:
                head = file.read(1 << 20)
            size = self._file.stat().st_size
        except OSError as error:
            raise PinciteError(f"{self._file}: cannot be read ({error.strerror}); correct [embedder] file") from error
        digest = hashlib.blake2b(head, digest_size=8).hexdigest()
        return Identity(f"gguf:{digest}:{size}", "gguf", self.facts.id, "", "client")

    def _opened(self) -> Any:
        if self._engine is None:
            from llama_cpp import Llama

            room = -(-(self.facts.window + 8) // SEQUENCES) * SEQUENCES
            try:
                self._engine = Llama(
                    str(self._file),
                    embedding=True,
                    n_ctx=room,
                    n_batch=room,
                    n_ubatch=room,
                    n_threads=self._settings.threads or self._context.threads or None,
                    n_gpu_layers=self._settings.layers,
                    verbose=False,
                )
            except (ValueError, AssertionError, OSError) as error:
                raise PinciteError(
                    f"{self._file}: llama.cpp cannot open it ({error}); give a GGUF file of an embedding model"
                ) from error
        return self._engine

    def _vectors(self, engine: Any, texts: Sequence[str]) -> Vectors:
        rows = [engine.embed(self._card.passage_prefix + text, normalize=True) for text in texts]
        if any(isinstance(row[0], list) for row in rows):
            raise PinciteError(f"{self._file}: gives several vectors a text; it lacks its pooling type")
        return unit(np.array(rows, np.float32))
