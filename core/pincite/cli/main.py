"""``pincite``: the commands, and errors in one line.

Command modules import nothing heavy: what they need is imported when they run, so that ``pincite --help`` is quick. The quick ones do not
postpone their annotations either (``from __future__``): typer would compile each of them, twice.
"""

import gc
import io
import os
import sys
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from pincite import __version__
from pincite.cli.start import forget_interruption
from pincite.errors import REMEDIES, PinciteError, cannot_be, in_one_line

COMMANDS: dict[str, tuple[str, str, str]] = {
    "search": ("search", "search", "Find the works that answer a question, and the passages."),
    "ask": ("ask", "ask", "Search as you type; Enter opens a passage."),
    "open": ("open", "open_place", "Open a passage at its place, or draw its page."),
    "show": ("show", "show", "Print a whole passage with its neighbours."),
    "locate": ("locate", "locate", "Find the place of a quotation."),
    "cite": ("cite", "cite", "Cite a passage with its page."),
    "similar": ("similar", "similar", "Find works like one of the library's."),
    "explain": ("explain", "explain", "Say why a work was found, or was not."),
    "index": ("index", "index", "Bring the index of a library up to date."),
    "status": ("status", "status", "Say what is indexed, what is not, and why."),
    "retry": ("index", "retry", "Try parked files again."),
    "pause": ("upkeep", "pause", "Stop indexing until it is resumed."),
    "resume": ("upkeep", "resume", "Index again after a pause."),
    "compact": ("upkeep", "compact", "Give the space of what is gone back."),
    "models": ("models", "app", "The embedding models: list, show, add, verify."),
    "plugins": ("plugins", "app", "The plugins: list, make a new one, check one."),
    "config": ("config", "config", "Print the resolved configuration and its sources."),
    "eval": ("evaluate", "evaluate", "Measure an engine on a test collection."),
    "calibrate": ("calibrate", "calibrate", "Measure a model's floor and ceiling."),
}
"""Command → its module below `pincite.cli`, what to take of it, and its line of help. A module is imported when its command runs."""


QUICK = frozenset({"search", "show", "open", "cite", "locate", "status", "config"})
"""Commands that are over in less time than some libraries take to get ready."""


class Interrupted(Exception):
    """The person stopped a command."""


class Commands(TyperGroup):
    """The built-in commands, and those of plugins (entry points ``command.NAME``), which are loaded when they are called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Built-in ones first, then those of plugins."""
        from pincite.plugin.installed import installed

        points = (point.name.partition(".") for point in installed("pincite"))
        found = {name for kind, _, name in points if kind == "command"}
        return [*COMMANDS, *sorted(found - COMMANDS.keys())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by name."""
        # Looking for plugins of pydantic's reads the metadata of all that is installed.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        if cmd_name in QUICK:
            gc.disable()  # collecting while modules are imported is a tenth of their time
            # numpy starts a thread a core, which wait for work by turning round; a search has no product that is worth one
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        else:
            gc.enable()
        found = _built_in(cmd_name) if cmd_name in COMMANDS else _of_plugin(cmd_name)
        if found is None and not (ctx.resilient_parsing or cmd_name.startswith("-")):
            ctx.fail(self._unknown(ctx, cmd_name))
        return found

    def _unknown(self, ctx: Any, name: str) -> str:
        """A word that is no command may be one mistyped, or what somebody looks for."""
        import difflib

        near = difflib.get_close_matches(name, self.list_commands(ctx), 1)
        meant = f"did you mean {near[0]}?" if near else f'to look for words: pincite search "{name}"'
        return f"No such command '{name}'; {meant}"

    def invoke(self, ctx: Any) -> Any:
        """Runs a command. typer would end without a word where it is interrupted."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list in the help, without importing any command."""
        rows = [
            (name, COMMANDS[name][2] if name in COMMANDS else f"Of a plugin: pincite {name} --help.")
            for name in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Words(TyperCommand):
    """A command that reads a person's words as such, whatever they begin with."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As click's, after words with a hyphen before them are told from options."""
        from pincite.cli.wording import typed

        return super().parse_args(ctx, typed(self.params, args))


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


def main() -> None:
    """Runs the command line; every failure is one line on standard error and an exit code (specs/13-exit-codes.md)."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        # what a terminal's encoding does not have, or no encoding has, is no failure
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except PinciteError as error:
        fail(str(error), error.exit_code)
    except (Interrupted, KeyboardInterrupt):
        forget_interruption()
        fail("stopped; what was done is kept", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        fail("out of memory; close other programs, or lower [index] workers", 1)
    except Exception as error:
        if os.environ.get("PINCITE_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in REMEDIES:
            of_path = cannot_be("used", error.filename, error)
            fail(str(of_path if error.filename else cannot_be("written", "the output", error)), 1)
        fail(
            f"unexpected error: {in_one_line(error)}; this is a fault of pincite: set PINCITE_DEBUG=1 to see where, and report it",
            1,
        )
    finally:
        if not gc.isenabled():
            gc.freeze()  # what a quick command leaves is not looked through for garbage at its end


def _open_streams() -> None:
    """A stream that whoever started this has closed leads nowhere: a database must not get its number, and be printed into."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 until the process ends


def fail(message: str, code: int) -> None:
    """One line, and out."""
    from pincite.text.readable import visible

    sys.stderr.write(f"pincite: {visible(' '.join(message.split()))}\n")
    sys.stderr.flush()
    sys.exit(code)


def _end(message: str) -> None:
    """Called by the watchdog's thread where a plugin can no longer be stopped."""
    sys.stderr.write(f"pincite: {message}\n")
    sys.stderr.flush()
    os._exit(1)


def _built_in(name: str) -> Any:
    """A built-in command, made from its function or application."""
    import importlib

    module, attribute, _ = COMMANDS[name]
    return _made(name, getattr(importlib.import_module(f"pincite.cli.{module}"), attribute))


def _made(name: str, made: Any, help: str | None = None) -> Any:
    from pincite.plugin.watch import WATCHDOG

    WATCHDOG.end = _end
    if not isinstance(made, typer.Typer):
        app = typer.Typer(
            rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
        )
        app.command(name, help=help, cls=Words)(made)
        made = app
    command = typer.main.get_command(made)
    command.name = name
    return command


def _of_plugin(name: str) -> Any:
    from pincite.cli.aside import prints_aside

    with prints_aside():
        return _loaded(name)


def _loaded(name: str) -> Any:
    from pincite.config.load import load
    from pincite.errors import UnknownName
    from pincite.plugin.making import plugins_of
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
    return _made(name, made, entry.facts.get("help"))


if __name__ == "__main__":
    main()
