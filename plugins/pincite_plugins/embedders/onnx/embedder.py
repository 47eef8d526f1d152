"""The embedder: texts → windows → calls of the engine → one unit vector a text."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from pincite.errors import Cancelled, PinciteError
from pincite.models.card import Card
from pincite.models.facts import facts_of
from pincite.models.shelf import card_for
from pincite.spec import Cancel, Context, Vectors
from pincite_plugins.embedders.onnx import OnnxSettings
from pincite_plugins.embedders.onnx.batches import Stats, Window, batches, windows
from pincite_plugins.embedders.onnx.convert import TOKENS, prepared
from pincite_plugins.embedders.onnx.engine import Engine
from pincite_plugins.embedders.onnx.pieces import Pieces, open_pieces
from pincite_plugins.embedders.onnx.tokens import Tokens, open_tokens

Computed = tuple[Vectors, Vectors | None]
"""The vectors of a call's windows, and the states of their tokens where they are asked for."""

AHEAD = 2
"""Calls handed to each thread before the first is awaited: no thread idles, and memory stays bounded."""
PIECE = 2048
"""Texts tokenized at once."""

AGAIN = 30.0
"""Seconds until a model that could not be prepared is tried again: a run asks for it at each work, and a full disk stays full meanwhile."""


class OnnxEmbedder:
    """An `Embedder` (pincite.spec). The model is prepared on first use; the engine is made on first `embed` and after `close`."""

    def __init__(self, settings: OnnxSettings, context: Context) -> None:
        self.card: Card = card_for("onnx", settings.model, context.home)
        self.facts = facts_of(self.card, "" if settings.precision == "int8" else f"{self.card.id}+{settings.precision}")
        self.stats = Stats()
        self._settings = settings
        self._context = context
        self._threads = settings.threads or context.threads or _cores()
        self._tokens: Tokens | None = None
        self._engine: Engine | None = None
        self._pieces: Pieces | None = None
        self._looked_for_pieces = False
        self._refused: tuple[float, PinciteError] | None = None
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The model's own folder, prepared now if need be."""
        settings, context = self._settings, self._context
        if self._refused is not None and time.monotonic() < self._refused[0]:
            raise self._refused[1].with_traceback(None)
        folder = Path(settings.folder).expanduser() if settings.folder else None
        try:
            return prepared(
                self.card, context.home, folder=folder, hub=settings.hub, note=context.note, cancelled=context.cancelled
            )
        except Cancelled:
            raise
        except PinciteError as error:
            self._refused = time.monotonic() + AGAIN, error
            raise

    @property
    def tokens(self) -> Tokens:
        """The tokenizer, without the weights."""
        if self._tokens is None:
            self._tokens = open_tokens(self.folder)
        return self._tokens

    def count(self, texts: Sequence[str]) -> list[int]:
        """Token counts, special tokens and prefix not included; 0 for the empty text. Loads no weights."""
        count = self.tokens.count
        return [count(text) if text else 0 for text in texts]

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """One unit vector a text, (n, width) float32. A text longer than the window is the mean of its windows, weighted by tokens."""
        prefix = self.card.query_prefix if kind == "query" else self.card.passage_prefix
        found = np.zeros((len(texts), self.card.width), np.float32)
        for at in range(0, len(texts), PIECE):
            found[at : at + PIECE] = self._embed([prefix + text for text in texts[at : at + PIECE]], cancelled)
        return found

    def with_tokens(
        self, texts: Sequence[str], kind: Literal["query", "passage"]
    ) -> tuple[Vectors, list[Vectors]] | None:
        """What `embed` gives and, of the same reading, for each text the unit vectors (tokens, width) that its tokens have in context, in
        the layer before the last: the last one has each say what the whole says. For few texts. None where the graph does not give them.
        """
        if not self._running().gives_tokens:
            return None
        prefix = self.card.query_prefix if kind == "query" else self.card.passage_prefix
        skipped = len(self.tokens.encode(prefix.rstrip())) if prefix else 0
        states: list[list[Vectors]] = [[] for _ in texts]
        vectors = self._embed([prefix + text for text in texts], lambda: False, states)
        return vectors, [_unit(np.concatenate(parts)[skipped:]) for parts in states]

    def pieces(self, texts: Sequence[str]) -> list[tuple[Vectors, npt.NDArray[np.float32]]] | None:
        """For each text the unit vectors (tokens, width) that its tokens begin with, and their weights (tokens,); loads no engine. None
        where the model's file does not give them."""
        if not self._looked_for_pieces:
            self._pieces = open_pieces(self.folder, self._settings.precision, self.folder / TOKENS)
            self._looked_for_pieces = True
        if self._pieces is None:
            return None
        encode = self.tokens.encode
        return self._pieces.of([encode(text) for text in texts])

    def close(self) -> None:
        """Gives the engine's and the tokenizer's memory back; a later call makes them anew."""
        with self._lock:
            self._engine = None
            self._tokens = None
            self._pieces = None
            self._looked_for_pieces = False

    # -- steps
    def _embed(self, texts: list[str], cancelled: Cancel, states: list[list[Vectors]] | None = None) -> Vectors:
        """`states`: takes for each text those of its tokens, a window at a time."""
        began = time.perf_counter()
        if cancelled():
            raise Cancelled("embedding cancelled")
        tokens = self.tokens
        ids = [tokens.encode(text) for text in texts]
        special = len(tokens.before) + len(tokens.after)
        room = self.card.tokens - special
        planned = windows([len(one) for one in ids], room)
        engine = self._running()
        calls = batches(planned, special, self._settings.batch_tokens, engine.together)
        sums = np.zeros((len(texts), self.card.stored or self.card.width), np.float32)
        self._run(engine, calls, ids, sums, cancelled, states)
        computed = sum(window.size + special for window in planned)
        stats = self.stats
        stats.texts += len(texts)
        stats.windows += len(planned)
        stats.calls += len(calls)
        stats.tokens += computed
        stats.slots += sum(len(call) * (max(window.size for window in call) + special) for call in calls)
        stats.seconds += time.perf_counter() - began
        return _unit(sums[:, : self.card.width])

    def _run(
        self,
        engine: Engine,
        calls: list[list[Window]],
        ids: list[list[int]],
        sums: npt.NDArray[np.float32],
        cancelled: Cancel,
        states: list[list[Vectors]] | None,
    ) -> None:
        """Adds the vector of each window, times its tokens, to its text's sum, in the order of `calls` whatever the threads do."""
        before, after = self.tokens.before, self.tokens.after

        def compute(call: list[Window]) -> Computed:
            rows = np.array([[*before, *ids[one.text][one.start : one.end], *after] for one in call], np.int64)
            return (engine.run(rows), None) if states is None else engine.run_with_tokens(rows)

        def add(call: list[Window], computed: Computed) -> None:
            vectors, of_tokens = computed
            for number, window in enumerate(call):
                sums[window.text] += vectors[number] * max(window.size, 1)
                if states is not None and of_tokens is not None:
                    states[window.text].append(of_tokens[number, len(before) : len(before) + window.size])

        if len(calls) == 1 or self._threads == 1:
            for call in calls:
                if cancelled():
                    raise Cancelled("embedding cancelled")
                add(call, compute(call))
            return
        waiting: deque[tuple[list[Window], Future[Computed]]] = deque()
        with ThreadPoolExecutor(self._threads, "embed") as pool:
            try:
                for call in calls:
                    if cancelled():
                        raise Cancelled("embedding cancelled")
                    if len(waiting) >= self._threads * AHEAD:
                        done, future = waiting.popleft()
                        add(done, future.result())
                    waiting.append((call, pool.submit(compute, call)))
                for done, future in waiting:
                    add(done, future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _running(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = Engine(self.folder, self._settings.precision, self.card.pooling)
            return self._engine


def _unit(rows: npt.NDArray[np.float32]) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), np.float32)


def _cores() -> int:
    import psutil

    return psutil.cpu_count(logical=False) or psutil.cpu_count() or 1
