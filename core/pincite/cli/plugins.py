"""``pincite plugins``: what is loaded, a new one, and whether one keeps the contract."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, note, print_json, resolved

app = typer.Typer(
    help="List plugins, write a new one, or check one against the contract.",
    invoke_without_command=True,
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback()
def plugins(ctx: typer.Context, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List every plugin by kind with where it comes from and its settings, and those that failed to load with the reason."""
    ctx.obj = config
    if ctx.invoked_subcommand is not None:
        return
    from pincite.plugin.making import plugins_of
    from pincite.spec import CONTRACT

    found = plugins_of(resolved(config))
    found.load_everything()
    kinds = _kinds(found)
    failures = [{"plugin": failure.plugin, "reason": failure.reason} for failure in found.failures]
    if as_json:
        warned = [{"plugin": one.plugin, "reason": one.reason} for one in found.warnings]
        print_json({"schema": 1, "contract": CONTRACT, "kinds": kinds, "failures": failures, "deprecated": warned})
    else:
        sys.stdout.write("\n".join(_lines(kinds, failures)) + "\n")
        for one in found.warnings:
            note(f"plugin {one.plugin}: deprecated: {one.reason}")
    if failures:
        sys.exit(1)


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="The plugin's name: letters, digits, hyphens.", show_default=False)],
    kind: Annotated[str, typer.Option(help="source, extractor, embedder, ranker, …", show_default=False)],
    folder: Annotated[Path, typer.Option(help="Where its folder is made.")] = Path(),
) -> None:
    """Write a distribution with a plugin that passes its contract kit, to begin from."""
    from pincite.template.new import write_plugin

    written = write_plugin(name, kind, folder)
    home = folder / f"pincite-{name}"
    sys.stdout.write("\n".join(str(path) for path in written) + "\n")
    note(f"next: pip install -e '{home}[test]', then `pytest` in {home}, or `pincite plugins check {kind}.{name}`")


@app.command("check")
def check(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Its name, or KIND.NAME.", show_default=False)],
    sample: Annotated[
        Path | None,
        typer.Option(help="A library for a source, a file for an extractor; it is copied.", show_default=False),
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for all tests together.", min=1)] = 600,
    as_json: JsonOption = False,
) -> None:
    """Run the contract kit on an installed plugin, in a process of its own."""
    from pincite.errors import UsageError
    from pincite.plugin.making import plugins_of
    from pincite.testing.check import check as run_kit

    configuration = resolved(ctx.obj)
    found = plugins_of(configuration)
    kind, own_name = _which(found, name)
    entry = found.find(kind, own_name)
    if kind in ("source", "extractor") and sample is None and "sample" not in entry.facts:
        what = "a library" if kind == "source" else "a file"
        raise UsageError(f"{kind}.{own_name}: give {what} that it can read: --sample PATH")
    if sample is not None and not sample.exists():
        raise UsageError(f"{sample}: no such file or folder")
    config = configuration.file if configuration.file.is_file() else None
    checked = run_kit(
        kind, own_name, settings=configuration.section(kind, own_name), sample=sample, config=config, timeout=timeout
    )
    _tell(checked, as_json)
    if checked.failed or checked.died:
        sys.exit(1)


def _kinds(found: Any) -> dict[str, list[dict[str, Any]]]:
    """Kind → what is known of each plugin."""
    from pincite.spec import KINDS

    kinds: dict[str, list[dict[str, Any]]] = {}
    for kind in KINDS:
        kinds[kind] = []
        for name in found.names(kind):
            try:
                entry = found.find(kind, name)
                about: dict[str, Any] = {"name": name, "plugin": entry.plugin, "from": entry.factory.__module__}
                about["distribution"] = found.distribution(entry.plugin)
                about["settings"] = _settings(entry.settings)
            except Exception as error:
                about = {"name": name, "error": str(error)}
            kinds[kind].append(about)
    return kinds


def _settings(model: Any) -> dict[str, Any]:
    """Key → default of a plugin's section, as plain data."""
    from pydantic_core import to_jsonable_python

    from pincite.config.sections import defaults

    plain: dict[str, Any] = to_jsonable_python(defaults(model), fallback=str)
    return plain


def _lines(kinds: dict[str, list[dict[str, Any]]], failures: list[dict[str, str]]) -> list[str]:
    lines = []
    for kind, entries in kinds.items():
        for one in entries:
            if "error" in one:
                lines.append(f"{kind:<10} {one['name']:<14} FAILED: {one['error']}")
                continue
            set_ = ", ".join(f"{key} = {value!r}" for key, value in one["settings"].items())
            lines.append(
                f"{kind:<10} {one['name']:<14} {one['distribution'] or one['plugin']}: {one['from']}"
                + (f"  [{set_}]" if set_ else "")
            )
        if not entries:
            lines.append(f"{kind:<10} -")
    return lines + [f"FAILED     {failure['plugin']}: {failure['reason']}" for failure in failures]


def _which(found: Any, name: str) -> tuple[str, str]:
    """Kind and name of what a person calls a plugin."""
    from pincite.errors import UsageError
    from pincite.plugin.registry import unknown
    from pincite.spec import KINDS

    kind, dot, rest = name.partition(".")
    if dot and kind in KINDS:
        return kind, rest
    kinds = [one for one in KINDS if name in found.names(one)]
    if len(kinds) > 1:
        raise UsageError(f"'{name}' is several plugins; say which: {', '.join(f'{one}.{name}' for one in kinds)}")
    if not kinds:
        raise unknown("plugin", name, [f"{one}.{other}" for one in KINDS for other in found.names(one)])
    return kinds[0], name


def _tell(checked: Any, as_json: bool) -> None:
    passed = len(checked.outcomes) - len(checked.failed)
    if as_json:
        failed = [{"test": one.test, "fault": one.fault} for one in checked.failed]
        print_json(
            {"schema": 1, "plugin": checked.plugin, "passed": passed, "failed": failed, "died": checked.died or None}
        )
        return
    lines = [f"FAILED  {one.test}\n        {one.fault}" for one in checked.failed]
    if checked.died:
        lines.append(f"FAILED  {checked.plugin}: {checked.died}")
    lines.append(f"{checked.plugin}: {passed} tests passed, {len(checked.failed)} failed")
    sys.stdout.write("\n".join(lines) + "\n")
