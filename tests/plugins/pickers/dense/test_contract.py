"""The picker `dense` keeps the contract (specs/01-contract.md)."""

from pathlib import Path
from typing import Any

from pincite.spec import Context
from pincite.testing import PickerKit
from token_vectors import TokenEmbedder


class TestDense(PickerKit):
    name = "dense"

    def context(self, folder: Path, **given: Any) -> Context:
        embedder = TokenEmbedder()
        return super().context(folder, embedder=lambda: embedder, **given)
