"""Model cards as data (specs/08-model-cards.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import CARD
from pincite import models
from pincite.errors import ConfigError, UnknownName, UsageError
from pincite.models.card import own_card, parse_card
from pincite.models.commands import add_model, list_models, show_model
from pincite.models.shelf import cards, find_card, own_cards
from pincite.models.verify import checks_of


def test_a_card_says_what_its_vectors_are_called():
    card = parse_card(CARD, "here")
    assert card.id == "heron-tiny@3/8"
    assert card.folder == "heron-tiny-3"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('pooling = "mean"', 'poling = "mean"'), "pooling"),
        (("width = 8", ""), "'width' is missing"),
        (("width = 8", "width = 0"), "width"),
        (('pooling = "mean"', 'pooling = "max"'), "pooling"),
        (("width = 8", "width = 8\nmean = [1.0, 2.0]"), "'mean' has 2 numbers, and 'width' is 8"),
        (("width = 8", "width = 8\nfloor = 0.9\nceiling = 0.8"), "'floor' must be below 'ceiling'"),
        (("width = 8", "width = 8\nstored = 4"), "'width' cannot exceed 'stored'"),
        (("width = 8", "width = 8\nstored = 0"), "'stored': Input should be greater than or equal to 1"),
        (('folder = "/srv/heron"', ""), "needs 'folder'"),
        (('format = "onnx"', 'format = "onnx"\nsha256 = { weights = "12" }'), "64 hexadecimal digits"),
        (('format = "onnx"', 'format = "onnx"\nsha256 = { wheels = "12" }'), "not among the files"),
        (("schema = 1", "schema = 2"), "schema"),
        (("schema = 1", "schema = "), "not valid TOML"),
    ],
)
def test_a_broken_card_is_an_error_that_names_file_and_key(change, says):
    with pytest.raises(ConfigError) as raised:
        parse_card(CARD.replace(*change), "heron.toml")
    assert "heron.toml" in str(raised.value)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_unknown_key_is_answered_with_the_nearest():
    with pytest.raises(ConfigError, match=r"unknown key 'licenze'; did you mean 'licence'\?"):
        parse_card(CARD.replace('licence = "MIT"', 'licence = "MIT"\nlicenze = "MIT"'), "heron.toml")


def test_every_shipped_card_is_valid_and_no_name_is_taken_twice():
    shelf = cards()
    for path in (Path(models.__file__).parent / "cards").glob("*.toml"):
        if not path.name.endswith(".checks.toml"):
            assert own_card(path.read_text("utf-8")) == parse_card(path.read_text("utf-8"), path.name)
    assert {"multilingual-e5-small", "bge-small-en", "all-MiniLM-L6-v2"} <= set(shelf)
    names = [name.casefold() for card in shelf.values() for name in (card.name, *card.aliases)]
    assert len(names) == len(set(names))


def test_every_model_that_is_ready_has_hashes_and_recorded_vectors():
    for card in cards().values():
        if card.status == "ready":
            assert set(card.origin[0].sha256) == set(card.origin[0].files), card.name
            assert len(checks_of(card)) >= 6, card.name


def test_a_model_is_found_by_name_alias_or_path(tmp_path):
    assert find_card("BGE-small-en-v1.5").name == "bge-small-en"
    path = tmp_path / "heron.toml"
    path.write_text(CARD)
    assert find_card(str(path)).name == "heron-tiny"


def test_an_unknown_model_lists_what_there_is():
    with pytest.raises(UnknownName, match=r"did you mean 'multilingual-e5-small'\?.*bge-small-en"):
        find_card("multilingual-e5-smal")


def test_a_card_is_added_once_and_then_shown(tmp_path):
    path = tmp_path / "heron.toml"
    path.write_text(CARD)
    home = tmp_path / "home"
    assert add_model(path, home).name == "heron-tiny"
    assert (own_cards(home) / "heron-tiny.toml").is_file()
    assert find_card("heron-tiny", home).revision == "3"
    with pytest.raises(UsageError, match="exists"):
        add_model(path, home)
    path.write_text(CARD.replace('revision = "3"', 'revision = "4"'))
    add_model(path, home, replace=True)
    assert show_model("heron-tiny", home)["id"] == "heron-tiny@4/8"


def test_the_list_says_how_to_get_what_is_not_here(tmp_path):
    path = tmp_path / "heron.toml"
    path.write_text(CARD)
    add_model(path, tmp_path / "home")
    listed = {one.card.name: one for one in list_models(tmp_path / "home")}
    assert listed["heron-tiny"].state == "not here"
    assert "put heron.onnx into /srv/heron" in listed["heron-tiny"].get
    assert listed["potion-multilingual-128M"].state == "not yet run"
