"""A model that cannot be prepared: said once, and tried again later."""

import pytest

from pincite.errors import Cancelled, PinciteError
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings, embedder, make


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """An embedder that asks a clock, and whose model is refused; the tries, and the clock."""
    tries, clock = [], [100.0]

    def prepared(card, home, **given):
        tries.append(card.name)
        raise PinciteError("the disk is full")

    monkeypatch.setattr(embedder, "prepared", prepared)
    monkeypatch.setattr(embedder.time, "monotonic", lambda: clock[0])
    return make(OnnxSettings(), Context(home=tmp_path)), tries, clock


def asked(embedder):
    with pytest.raises(PinciteError, match="the disk is full"):
        embedder.count(["kelp"])


def test_it_is_tried_once_however_often_it_is_asked_for_and_later_again(refused):
    made, tries, clock = refused
    asked(made)
    asked(made)
    assert len(tries) == 1
    clock[0] += embedder.AGAIN
    asked(made)
    assert len(tries) == 2


def test_one_that_was_stopped_is_tried_again_at_once(refused, monkeypatch):
    made, tries, _ = refused

    def stopped(card, home, **given):
        raise Cancelled("stopped")

    with monkeypatch.context() as patch:
        patch.setattr(embedder, "prepared", stopped)
        with pytest.raises(Cancelled):
            made.count(["kelp"])
    asked(made)
    assert tries
