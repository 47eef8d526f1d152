"""``pincite cite``."""

from enum import StrEnum
from typing import Annotated

import typer

from pincite.cli.options import ConfigOption, LibraryOption, note, say
from pincite.cli.pointing import WhereArgument, pointed


class Style(StrEnum):
    """How a citation is written."""

    PANDOC = "pandoc"
    LATEX = "latex"
    TYPST = "typst"
    PLAIN = "plain"


def cite(
    where: WhereArgument,
    style: Annotated[Style, typer.Option("--style", "-s", help="How it is written.")] = Style.PANDOC,
    locator: Annotated[
        str | None,
        typer.Option("--locator", help="Another place than the passage's page: “fig. 3”, “12-14”.", show_default=False),
    ] = None,
    library: LibraryOption = None,
    config: ConfigOption = None,
) -> None:
    """Print a citation of the passage with its page."""
    from pincite.citing.locators import read_locator
    from pincite.citing.styles import STYLES, Place, key_of, page_place
    from pincite.errors import UsageError

    with pointed(where, library, config) as (_, found):
        place = page_place(found.chunk.page_label, found.chunk.page)
        if locator is not None:
            read = read_locator(locator, chosen=True)
            if read is None or not read.alone:
                raise UsageError(f"--locator takes a place such as “fig. 3” or “12-14”, not “{locator}”")
            place = Place(read.label, read.value)
        if not found.item.key and style is not Style.PLAIN:
            note(f"this work has no citation key in the library; {key_of(found.item)} is made from its author and year")
        say(STYLES[style](found.item, place))
