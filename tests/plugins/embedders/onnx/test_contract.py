"""The embedder `onnx` keeps the contract (specs/01-contract.md)."""

import pytest

from pincite.testing import EmbedderKit


class TestOnnx(EmbedderKit):
    name = "onnx"
    settings = {"threads": 2}
    seconds = 300

    @pytest.fixture(autouse=True)
    def _with_model(self, model_home):
        self._home = model_home

    def home(self, folder):
        return self._home
