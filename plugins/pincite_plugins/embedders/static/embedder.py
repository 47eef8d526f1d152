"""`StaticEmbedder`: texts → tokens → the mean of their vectors."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from pincite.errors import Cancelled, UsageError
from pincite.models.card import Card
from pincite.models.facts import facts_of
from pincite.models.origin import check, find
from pincite.models.shelf import card_for
from pincite.spec import Cancel, Context, Vectors
from pincite_plugins.embedders.static import StaticSettings
from pincite_plugins.embedders.static.table import Table, open_table

PIECE = 1024
"""Texts tokenized at once."""


class StaticEmbedder:
    """An `Embedder` (pincite.spec). Each text is computed alone, so its vector depends on nothing else."""

    def __init__(self, settings: StaticSettings, context: Context) -> None:
        self.card: Card = card_for("static", settings.model, context.home)
        self.facts = facts_of(self.card)
        self._settings = settings
        self._context = context
        self._table: Table | None = None
        self._lock = threading.Lock()

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        return [len(ids) for ids in self._opened().ids(texts)]

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """One unit vector a text, (n, width) float32; queries and passages alike."""
        found = np.empty((len(texts), self.facts.width), np.float32)
        for at in range(0, len(texts), PIECE):
            if cancelled():
                raise Cancelled("embedding cancelled")
            table = self._opened()
            for number, ids in enumerate(table.ids(texts[at : at + PIECE]), at):
                found[number] = table.mean(ids)
        return found

    def close(self) -> None:
        """Gives the table's memory back; a later call reads it anew."""
        with self._lock:
            self._table = None

    def _opened(self) -> Table:
        with self._lock:
            if self._table is None:
                settings = self._settings
                folder = Path(settings.folder).expanduser() if settings.folder else None
                files = find(self.card, folder=folder, hub=settings.hub, note=self._context.note)
                if not folder:
                    check(self.card, files)
                table = open_table(files.files["weights"], files.files["tokenizer"], self.card.name)
                if table.vectors.shape[1] != self.card.width:
                    raise UsageError(
                        f"model {self.card.name}: its table is {table.vectors.shape[1]} wide, and its card says {self.card.width}; "
                        "correct the card"
                    )
                self._table = table
            return self._table
