"""The embedder `static` keeps the contract (specs/01-contract.md)."""

import pytest

from pincite.testing import EmbedderKit

pytest.importorskip("safetensors", reason="needs pincite[static]")
pytest.importorskip("wordllama", reason="needs pincite[static]")


class TestStaticEmbedder(EmbedderKit):
    name = "static"
