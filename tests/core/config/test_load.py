"""The configuration (specs/02-configuration.md)."""

import pytest
from pydantic import BaseModel, ConfigDict

from pincite.config.load import load, validate_section
from pincite.errors import ConfigError


def file(tmp_path, text):
    path = tmp_path / "pincite.toml"
    path.write_text(text, "utf-8")
    return path


def test_defaults_stand_without_a_file(tmp_path):
    config = load(environ={"PINCITE_HOME": str(tmp_path)})
    assert config.settings.engine == "hybrid"
    assert config.settings.embedder.use == "onnx"
    assert config.settings.engines["semantic"] == ("vector",)
    assert config.home == tmp_path


def test_a_later_place_wins_and_is_named(tmp_path):
    path = file(tmp_path, 'engine = "lexical"\nlimit = 3\n[embedder]\nmodel = "a"\n')
    config = load(path, environ={"PINCITE_LIMIT": "5", "PINCITE_EMBEDDER__MODEL": "b"}, given={"limit": 7})
    assert (config.settings.engine, config.settings.limit) == ("lexical", 7)
    assert config.section("embedder", "onnx") == {"model": "b"}
    assert config.origins == {
        "engine": str(path),
        "limit": "command line",
        "embedder.model": "environment PINCITE_EMBEDDER__MODEL",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('enginee = "lexical"', "unknown key 'enginee'; did you mean 'engine'"),
        ("[index]\nworkerz = 2", "unknown key 'index.workerz'; did you mean 'workers'"),
        ('engine = "hybird"', "no engine is called 'hybird'; did you mean 'hybrid'"),
        ("limit = 0", "'limit': input should be greater than or equal to 1"),
        ("limit = [", "not valid TOML"),
        ("[engines]\nmine = []", "engine 'mine' has no ranker"),
        ("[libraries.a]\npth = '/x'", "unknown key 'libraries.a.pth'; did you mean 'path'"),
        ("[libraries.a]", "'libraries.a.path': must be set"),
        ("[libraries.a]\nsource = 'folder'", "'libraries.a.path': must be set"),
        (
            "[libraries]\na = '/x'",
            r"'libraries.a': input should be a section with keys of its own, as \[libraries.a\], not '/x'",
        ),
        (
            "[plugins]\nblock = 'extractor.pdf'",
            r"'plugins.block': input should be a list, as \[\"a\", \"b\"\], not 'extractor.pdf'",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path, text, message):
    path = file(tmp_path, text)
    with pytest.raises(ConfigError, match=message) as caught:
        load(path, environ={})
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_configuration_file_that_was_named_must_be_there(tmp_path):
    with pytest.raises(ConfigError, match="no such configuration file"):
        load(tmp_path / "nothing.toml", environ={})


def test_an_unknown_variable_is_a_warning_that_names_the_nearest():
    assert load(environ={"PINCITE_ENGIN": "lexical"}).warnings == (
        "environment variable PINCITE_ENGIN is no setting of pincite and is ignored (did you mean PINCITE_ENGINE?)",
    )


def test_an_engine_of_ones_own_is_a_line(tmp_path):
    config = load(file(tmp_path, 'engine = "mine"\n[engines]\nmine = ["fts5", "citations"]\n'), environ={})
    assert config.settings.engines["mine"] == ("fts5", "citations")
    assert config.settings.engines["lexical"] == ("fts5",)


class Own(BaseModel):
    model_config = ConfigDict(extra="forbid")
    shelf: int = 1


def test_a_plugins_section_is_checked_by_its_own_model():
    assert validate_section(Own, {"shelf": 3}, "source.shoebox").shelf == 3
    with pytest.raises(ConfigError, match=r"unknown key 'source.shoebox.shelff'; did you mean 'shelf'\?"):
        validate_section(Own, {"shelff": 3}, "source.shoebox")
    with pytest.raises(ConfigError, match=r"'source.shoebox.shelf': input should be a valid integer.*'top'"):
        validate_section(Own, {"shelf": "top"}, "source.shoebox")
    with pytest.raises(ConfigError, match="takes no settings, but 'shelf' is set"):
        validate_section(None, {"shelf": 3}, "picker")
