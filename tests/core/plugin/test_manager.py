"""The plugin manager (specs/01-contract.md)."""

from importlib.metadata import EntryPoint

import pytest

from pincite import spec
from pincite.errors import DuplicateName, PluginError, UnknownName
from pincite.plugin.manager import Plugins

SHOEBOX = """
from pincite.spec import hookimpl

@hookimpl
def register_sources(register):
    register("{name}", lambda settings, context: "{name}-made", recognises=lambda path: 1)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return write


def points(*pairs):
    return [EntryPoint(name, value, "pincite") for name, value in pairs]


def test_an_entry_point_of_a_kind_is_imported_only_when_its_name_is_asked_for(module):
    shoebox, attic = (
        module("shoebox_a", SHOEBOX.format(name="shoebox")),
        module("attic_a", SHOEBOX.format(name="attic")),
    )
    plugins = Plugins(found=points(("source.shoebox", shoebox), ("source.attic", attic)))
    assert plugins.names("source") == ["attic", "shoebox"]
    assert plugins.loaded() == []
    assert plugins.find("source", "shoebox").factory(None, None) == "shoebox-made"
    assert plugins.loaded() == ["source.shoebox"]


def test_a_name_that_nobody_registered_lists_what_there_is(module):
    plugins = Plugins(found=points(("source.shoebox", module("shoebox_b", SHOEBOX.format(name="shoebox")))))
    with pytest.raises(UnknownName, match=r"no source is called 'shoebx'; did you mean 'shoebox'\? There is: shoebox"):
        plugins.find("source", "shoebx")


def test_a_name_given_twice_is_an_error_that_names_both(module):
    found = points(
        ("source.shoebox", module("shoebox_c", SHOEBOX.format(name="shoebox"))),
        ("other-package", module("shoebox_d", SHOEBOX.format(name="shoebox"))),
    )
    with pytest.raises(DuplicateName, match="other-package.*source.shoebox"):
        Plugins(found=found).find("source", "shoebox")
    blocked = Plugins(found=found, blocked=["other-package"])
    assert blocked.find("source", "shoebox").plugin == "source.shoebox"
    with pytest.raises(UnknownName, match=r"source 'shoebox' is kept out by \[plugins\] block"):
        Plugins(found=found, blocked=["other-package", "source.shoebox"]).find("source", "shoebox")


def test_a_plugin_that_fails_to_load_is_named_and_the_rest_works(module):
    found = points(
        ("source.torn", module("torn_a", "raise RuntimeError('out of paper')")),
        ("source.shoebox", module("shoebox_e", SHOEBOX.format(name="shoebox"))),
    )
    plugins = Plugins(found=found)
    assert [entry.name for entry in plugins.all("source")] == ["shoebox"]
    assert [(one.plugin, one.reason) for one in plugins.failures] == [("source.torn", "RuntimeError: out of paper")]
    with pytest.raises(PluginError, match="source.torn: could not be loaded: RuntimeError: out of paper"):
        plugins.find("source", "torn")


def test_a_plugin_of_a_later_contract_is_refused_by_name(module):
    name = module("later_a", "PINCITE_CONTRACT = 99\n" + SHOEBOX.format(name="later"))
    with pytest.raises(PluginError, match="needs contract 99"):
        Plugins(found=points(("source.later", name))).find("source", "later")


def test_a_hook_with_a_wrong_argument_is_a_load_failure(module):
    name = module("wrong_a", "from pincite.spec import hookimpl\n@hookimpl\ndef register_sources(box):\n    pass\n")
    with pytest.raises(PluginError, match="wrong_a|source.wrong"):
        Plugins(found=points(("source.wrong", name))).find("source", "wrong")


def test_the_local_file_is_a_plugin(tmp_path):
    local = tmp_path / "pincite_local.py"
    local.write_text(SHOEBOX.format(name="desk"))
    plugins = Plugins(found=(), local=local)
    assert plugins.names("source") == ["desk"]
    assert Plugins(found=(), local=local, blocked=["pincite_local"]).names("source") == []


def test_a_local_file_that_does_not_load_is_named_where_something_is_missed(tmp_path):
    local = tmp_path / "pincite_local.py"
    local.write_text("def broken(")
    with pytest.raises(
        UnknownName, match="no source is called 'desk'; there is: none; pincite_local could not be loaded: SyntaxError"
    ):
        Plugins(found=(), local=local).find("source", "desk")


def test_every_built_in_plugin_loads_and_registers_its_name():
    plugins = Plugins()
    plugins.load_everything()
    assert plugins.failures == []
    for kind in ("source", "extractor", "chunker", "embedder", "store", "ranker", "fuser", "picker"):
        for name in plugins.names(kind):
            assert plugins.find(kind, name).name == name


def test_trace_prints_hook_calls(module, capsys):
    plugins = Plugins(found=points(("source.shoebox", module("shoebox_f", SHOEBOX.format(name="shoebox")))), trace=True)
    plugins.find("source", "shoebox")
    assert "register_sources" in capsys.readouterr().err


def test_a_deprecated_hook_works_and_warns_by_name(module):
    class Next:
        @staticmethod
        @spec.hookspec(warn_on_impl=DeprecationWarning("register_sources goes with contract 2; use register_libraries"))
        def register_sources(register):
            pass

    name = module("old_a", SHOEBOX.format(name="old"))
    plugins = Plugins(found=points(("source.old", name)), contract=Next)
    assert plugins.find("source", "old").name == "old"
    assert [one.plugin for one in plugins.warnings] == ["source.old"]
    assert "goes with contract 2; use register_libraries" in plugins.warnings[0].reason
