"""``pincite locate``."""

import sys
from typing import Annotated

import typer

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, opened, print_json


def locate(
    quote: Annotated[
        str,
        typer.Argument(metavar="QUOTE", help="The quotation; “-” reads it from standard input.", show_default=False),
    ],
    as_json: JsonOption = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
) -> None:
    """Find the place of a quotation: work, page and the exact words."""
    if quote == "-":
        quote = sys.stdin.read()
    with opened(library, config) as lib:
        located = lib.locate(quote)
    if as_json:
        from pincite.locating.as_json import located_json

        print_json(located_json(located))
        return
    from pincite.cli.located import render_located
    from pincite.cli.render import paged

    with paged() as console:
        render_located(located, console)
