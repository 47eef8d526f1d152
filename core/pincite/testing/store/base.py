"""What the tests of stores share: a store, empty or with three works in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.spec import Context
from pincite.testing.kit import Kit
from pincite.testing.samples import RECORDS, TrigramEmbedder, put

MODEL = TrigramEmbedder().facts.id


class StoreBase(Kit):
    """The store under test."""

    kind = "store"

    @pytest.fixture
    def index(self, folder: Path) -> Path:
        """The index folder."""
        return folder / "index"

    @pytest.fixture
    def store(self, index: Path) -> Iterator[Any]:
        """An empty store."""
        made = self.opened(index)
        yield made
        made.close()

    @pytest.fixture
    def filled(self, store: Any) -> Any:
        """The same with three works in it."""
        for record in RECORDS:
            put(store, record)
        return store

    def opened(self, index: Path) -> Any:
        """The store of a folder."""
        index.mkdir(exist_ok=True)
        return self.made(Context(home=index.parent, folder=index))

    def ids(self, store: Any, rows: Any) -> list[str]:
        """Passage ids of rows, sorted."""
        return sorted(chunk.id for chunk in store.chunks(rows).values())
