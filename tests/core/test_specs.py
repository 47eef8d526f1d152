"""specs/ is complete and not stale: hooks, settings, commands and JSON shapes have their page, and it names nothing else."""

import inspect
import re
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from pincite import spec
from pincite.cli.main import COMMANDS, _built_in
from pincite.config.model import Settings
from pincite.config.sections import defaults, keys
from pincite.plugin.guard import PROTOCOLS
from pincite.plugin.manager import Plugins

ROOT = Path(__file__).parents[2]
PAGES = {page.name: page.read_text("utf-8") for page in sorted((ROOT / "specs").glob("*.md"))}
ALL = "\n".join(PAGES.values())


def commands(group=None, prefix=""):
    """Name → command, those of groups too; not those of plugins."""
    there = group.commands if group is not None else {name: _built_in(name) for name in COMMANDS}
    for name, command in there.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
            if command.invoke_without_command:
                yield f"{prefix}{name}", command
        else:
            yield f"{prefix}{name}", command


def test_the_list_of_commands_says_what_each_says_of_itself():
    for name, (_, _, line) in COMMANDS.items():
        assert line.endswith(".")
        assert _built_in(name).help, name


@pytest.mark.parametrize("kind", spec.KINDS)
def test_every_hook_has_its_row_and_its_docstring(kind):
    assert re.search(rf"^\| {kind} \| `{kind.capitalize()}` \|", PAGES["01-contract.md"], re.M)
    assert inspect.getdoc(getattr(spec, f"register_{kind}s"))


def test_the_table_of_kinds_names_no_other():
    assert sorted(re.findall(r"^\| (\w+) \| `\w+` \|", PAGES["01-contract.md"], re.M)) == sorted(spec.KINDS)


@pytest.mark.parametrize("kind", list(PROTOCOLS))
def test_every_method_of_a_protocol_says_what_it_does(kind):
    silent = [
        name
        for name, part in vars(PROTOCOLS[kind]).items()
        if inspect.isfunction(part) and name[0] != "_" and not inspect.getdoc(part)
    ]
    assert silent == []


def test_the_contract_that_pages_name_is_the_one_there_is():
    assert f"`CONTRACT = {spec.CONTRACT}`" in PAGES["01-contract.md"]
    assert re.search(rf"^\| {spec.CONTRACT} \| \d", PAGES["01-contract.md"], re.M)


def settings():
    """Dotted keys that core knows."""
    for name, default in defaults(Settings).items():
        if not is_dataclass(default):
            yield name
        else:
            yield from (f"{name}.{key}" for key in sorted(keys(type(default)) - {"own"}))


@pytest.mark.parametrize("key", list(settings()))
def test_every_setting_has_its_row(key):
    section, dot, name = key.partition(".")
    rows = [line for line in PAGES["02-configuration.md"].splitlines() if line.startswith("|")]
    wanted = (section, name) if dot else (section,)
    assert any(all(re.search(rf"\b{part}\b", row.split("|")[1]) for part in wanted) for row in rows), (
        f"{key} is not in specs/02-configuration.md"
    )


def test_no_row_names_a_setting_that_is_gone():
    known = set(settings()) | {f"libraries.{key}" for key in ("path", "source", "index")}
    for section, name in re.findall(r"^\| `\[(\w+)\] (\w+)` \|", PAGES["02-configuration.md"], re.M):
        assert f"{section}.{name}" in known


def plugin_settings():
    """(plugin, key) of every built-in plugin's section."""
    plugins = Plugins()
    for kind in spec.KINDS:
        for entry in plugins.all(kind):
            if entry.factory.__module__.startswith("pincite_plugins"):
                yield from ((f"{kind}.{entry.name}", key) for key in defaults(entry.settings))


@pytest.mark.parametrize(("plugin", "key"), sorted(plugin_settings()))
def test_every_setting_of_a_plugin_is_on_a_page(plugin, key):
    assert re.search(rf"`[^`]*\b{key}\b[^`]*`", ALL), f"{plugin}: {key} is on no page of specs/"


@pytest.mark.parametrize("name", sorted(name for name, _ in commands()))
def test_every_command_has_its_row(name):
    assert re.search(rf"^\| `{name}\b", PAGES["23-commands.md"], re.M), (
        f"`pincite {name}` is not in specs/23-commands.md"
    )


def test_no_row_names_a_command_that_is_gone():
    there = {name for name, _ in commands()}
    for row in re.findall(r"^\| `([a-z ]+?)(?: [A-Z\[(].*?)?` \|", PAGES["23-commands.md"], re.M):
        assert row in there


@pytest.mark.parametrize(
    "name", sorted(name for name, command in commands() if any("--json" in one.opts for one in command.params))
)
def test_every_json_shape_has_its_page(name):
    (row,) = re.findall(rf"^\| `{name}(?: [A-Z\[(].*?)?` \|.*$", PAGES["23-commands.md"], re.M)[:1]
    assert re.search(r"\| (\d\d|below)[^|]*\|$", row), f"the row of `{name}` names no page of its JSON"
