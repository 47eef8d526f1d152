"""``pincite mcp``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated

import typer

from pincite.cli.options import LibraryOption, note, opened, resolved
from pincite.errors import PinciteError, UsageError
from pincite.spec import Context, Register, hookimpl
from pincite_plugins.services.mcp import McpSettings, clients

HELP = "Serve the library to assistants (MCP)."


def mcp(
    library: LibraryOption = None,
    http: Annotated[bool, typer.Option("--http", help="Over HTTP on 127.0.0.1, with a token.")] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port (0: any that is free).")] = 8765,
    index: Annotated[
        bool, typer.Option("--index/--no-index", help="Index a library at the first question that has no index.")
    ] = True,
    config: Annotated[
        list[str] | None,
        typer.Option(
            "--config",
            metavar="CLIENT|FILE",
            help="claude, cursor or generic: print the lines to paste and end. Else a configuration file in place of yours.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve the library to assistants over standard input and output, or HTTP."""
    client, file = _read(config or [])
    if client:
        _print_lines(client, library, file, http, port, index)
        return
    with ExitStack() as stack:
        try:
            from pincite_plugins.services.mcp.service import McpService
            from pincite_plugins.services.mcp.wire import claimed
        except ImportError as error:
            missing = (error.name or str(error)).split(".")[0]
            raise PinciteError(f"{missing}: not installed; pip install 'pincite[mcp]'") from None
        wire = None if http else stack.enter_context(claimed())
        lib = stack.enter_context(opened(library, file))
        if not os.path.lexists(lib.path):
            raise UsageError(f"{lib.path}: no such file or folder; give --library PATH or NAME")
        McpService(McpSettings(http=http, port=port, index=index), wire).serve(lib)


def _read(config: Sequence[str]) -> tuple[str, str | None]:
    """(client, configuration file) of ``--config``, which may be given once for each. Raises `UsageError`."""
    named = [one for one in config if one in clients.CLIENTS]
    files = [one for one in config if one not in clients.CLIENTS]
    if len(named) > 1 or len(files) > 1:
        raise UsageError("--config takes one client (claude, cursor, generic) and one configuration file")
    if files and not os.path.exists(files[0]):
        raise UsageError(f"--config {files[0]}: neither claude, cursor or generic, nor a configuration file")
    return (named[0] if named else ""), (files[0] if files else None)


def _print_lines(client: str, library: str | None, file: str | None, http: bool, port: int, index: bool) -> None:
    if http:
        from pincite_plugins.services.mcp.http import HOST, PATH, token_of

        if port == 0:
            raise UsageError("--port 0 is another port each time; give one")
        found = clients.over_http(client, f"http://{HOST}:{port}{PATH}", token_of(resolved(file).home))
        note(f"start it with `pincite mcp --http{'' if port == 8765 else f' --port {port}'}`; the token is a secret")
    else:
        with opened(library, file) as lib:
            named = library if library in lib.config.settings.libraries else str(lib.path)
        arguments = [*(["--library", named] if library else []), *([] if index else ["--no-index"])]
        arguments += ["--config", os.path.abspath(file)] if file else []
        found = clients.over_stdio(client, arguments)
    note(f"paste this {clients.CLIENTS[client]}")
    sys.stdout.write(clients.text(found))


def make(settings: object, context: Context) -> object:
    """The command."""
    return mcp


@hookimpl
def register_commands(register: Register) -> None:
    """Gives `mcp`."""
    register("mcp", make, help=HELP)
