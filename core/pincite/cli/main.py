"""``pincite``: the commands, and errors in one line.

Command modules import nothing heavy: what they need is imported when they run, so that ``pincite --help`` is quick.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from pincite import __version__
from pincite.cli import (
    calibrate,
    cite,
    config,
    evaluate,
    explain,
    index,
    models,
    plugins,
    search,
    show,
    similar,
    status,
    upkeep,
)
from pincite.cli import open as open_
from pincite.errors import PinciteError
from pincite.plugin.watch import WATCHDOG


class Commands(TyperGroup):
    """The built-in commands, and those of plugins (entry points ``command.NAME``), which are loaded when they are called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Built-in ones first, then those of plugins."""
        from importlib.metadata import entry_points

        others = {
            point.name.partition(".")[2] for point in entry_points(group="pincite") if point.name.startswith("command.")
        }
        built_in = super().list_commands(ctx)
        return [*built_in, *sorted(others - set(built_in))]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by name."""
        return super().get_command(ctx, cmd_name) or _of_plugin(cmd_name)


app = typer.Typer(
    cls=Commands,
    name="pincite",
    help="Search your own library of papers, books and notes: the work, the passage, the page.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: bool = typer.Option(
        False, "--version", help="Print the version and end.", callback=_version, is_eager=True
    ),
) -> None:
    pass


app.command("search")(search.search)
app.command("open")(open_.open_place)
app.command("show")(show.show)
app.command("cite")(cite.cite)
app.command("explain")(explain.explain)
app.command("index")(index.index)
app.command("retry")(index.retry)
app.command("pause")(upkeep.pause)
app.command("resume")(upkeep.resume)
app.command("compact")(upkeep.compact)
app.command("status")(status.status)
app.add_typer(plugins.app, name="plugins")
app.command("config")(config.config)
app.add_typer(models.app, name="models")
app.command("eval")(evaluate.evaluate)
app.command("similar")(similar.similar)
app.command("calibrate")(calibrate.calibrate)


def main() -> None:
    """Runs the command line; every failure is one line on standard error and an exit code (specs/13-exit-codes.md)."""
    WATCHDOG.end = _end
    try:
        app()
    except PinciteError as error:
        fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        fail("stopped; what was done is kept", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        fail("out of memory; close other programs, or lower [index] workers", 1)
    except Exception as error:
        if os.environ.get("PINCITE_DEBUG"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())
        fail(
            f"unexpected error: {what}; this is a fault of pincite: set PINCITE_DEBUG=1 to see where, and report it", 1
        )


def fail(message: str, code: int) -> None:
    """One line, and out."""
    sys.stderr.write(f"pincite: {' '.join(message.split())}\n")
    sys.stderr.flush()
    sys.exit(code)


def _end(message: str) -> None:
    """Called by the watchdog's thread where a plugin can no longer be stopped."""
    sys.stderr.write(f"pincite: {message}\n")
    sys.stderr.flush()
    os._exit(1)


def _of_plugin(name: str) -> Any:
    from pincite.config.load import load
    from pincite.errors import UnknownName
    from pincite.library import plugins_of
    from pincite.plugin.use import using
    from pincite.spec import Context

    configuration = load()
    found = plugins_of(configuration)
    if name not in found.names("command"):
        return None
    try:
        entry = found.find("command", name)
    except UnknownName:
        return None
    with using(entry.plugin):
        made = entry.factory(None, Context(home=configuration.home))
    if not isinstance(made, typer.Typer):
        app = typer.Typer(rich_markup_mode=None)
        app.command(name, help=entry.facts.get("help"))(made)
        made = app
    return typer.main.get_command(made)


if __name__ == "__main__":
    main()
