"""What a command points at: a hit of the last results by its number, or a passage by its id."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.options import opened, resolved

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.search.found import Found

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
    from pincite.search.anywhere import find
    from pincite.search.found import whole_item
    from pincite.search.last import point, recall

    last = recall(resolved(config).home)
    target = point(last, where)
    if library is None and last is not None and os.path.lexists(last.library):
        library = last.library
    with opened(library, config or (last.config or None if last else None)) as lib:
        if target.passage:
            yield lib, find(lib, target.passage)
        else:
            yield lib, whole_item(lib.store, target.item)
