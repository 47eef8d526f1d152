"""Options that every command has, and opening what they name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.text.readable import visible

if TYPE_CHECKING:
    from pincite.library import Library

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        "-l",
        metavar="PATH|NAME",
        help="The library: a path, or a name of the configuration.",
        show_default=False,
    ),
]
ConfigOption = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="A configuration file in place of yours.", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
EngineOption = Annotated[
    str | None, typer.Option("--engine", "-e", metavar="NAME", help="hybrid, lexical or semantic.", show_default=False)
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="NAME", help="The embedding model, in place of the configured one.", show_default=False
    ),
]


def say(line: str) -> None:
    """A line of the answer, on standard output."""
    sys.stdout.write(f"{visible(line)}\n")


def note(line: str) -> None:
    """A line for the person, on standard error."""
    sys.stderr.write(f"pincite: {visible(line)}\n")
    sys.stderr.flush()


def resolved(config: str | None, **given: Any) -> Any:
    """The configuration; its warnings go to standard error."""
    from pincite.config.load import load

    found = load(config, given={key.replace("__", "."): value for key, value in given.items()})
    for warning in found.warnings:
        note(warning)
    return found


def opened(library: str | None, config: str | None, **given: Any) -> Library:
    """The library that the options name."""
    # CPython takes memory for calls by pieces of 16 KiB, and gives one back as soon as it is left: numpy, imported from the depth of other
    # imports, came by an edge a thousand times, which took a tenth of its time again
    import numpy  # noqa: F401

    from pincite.opening import open_with

    return open_with(resolved(config, **given), library, note)


def print_json(value: Any) -> None:
    """JSON on standard output, for people and programs alike: letters as such where it takes all of them, else escaped."""
    import json

    letters = (sys.stdout.encoding or "").lower().startswith("utf")
    sys.stdout.write(json.dumps(value, ensure_ascii=not letters, indent=2) + "\n")
