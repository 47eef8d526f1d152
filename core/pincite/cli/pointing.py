"""What a command points at: a hit of the last results by its number, or a passage by its id."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.options import opened

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.search.found import Found
    from pincite.search.last import Last

WhereArgument = Annotated[
    str,
    typer.Argument(
        metavar="N|N.M|ID",
        help="A hit of the last results (2: its best passage, 2.3: its third), or a passage id.",
        show_default=False,
    ),
]


@contextmanager
def pointed(where: str, library: str | None, config: str | None) -> Iterator[tuple[Library, Found]]:
    """The library, opened, and the passage in it. Raises `UsageError`."""
    from pincite.config.load import home
    from pincite.search.anywhere import find
    from pincite.search.found import whole_item
    from pincite.search.last import point, recall

    last = recall(home())
    target = point(last, where)
    with opened_last(last, library, config, meant=bool(target.item)) as lib:
        if target.passage:
            yield lib, find(lib, target.passage)
        else:
            yield lib, whole_item(lib.store, target.item)


def opened_last(last: Last | None, library: str | None, config: str | None, meant: bool, **given: Any) -> Library:
    """The library that is named, else the one that was searched last, as it was searched; the configured one where that is no longer there
    and no hit of it is `meant`. Raises `UsageError`."""
    from pincite.errors import UsageError

    if last is not None:
        config = config or last.config or None
        if library is None:
            try:
                return opened(last.library, config, **given)
            except UsageError:
                if meant:
                    raise
    return opened(library, config, **given)
