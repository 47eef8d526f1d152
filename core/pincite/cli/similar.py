"""``pincite similar``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, ModelOption, print_json


def similar(
    where: Annotated[
        str,
        typer.Argument(metavar="N|ITEM", help="A hit of the last results, or a work's id or key.", show_default=False),
    ],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many works.")] = 10,
    as_json: JsonOption = False,
    library: LibraryOption = None,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """List the works most like one of the library's, by all their passages."""
    from pincite.cli.oneline import byline, heading
    from pincite.cli.pointing import opened_last
    from pincite.config.load import home
    from pincite.errors import UsageError
    from pincite.search.last import point, recall
    from pincite.search.similar import similar as find

    last = recall(home())
    number = where.isdecimal() and last is not None and int(where) <= len(last.hits)
    id = point(last, where).item if number else where
    with opened_last(last, library, config, meant=number, embedder__model=model) as lib:
        try:
            found = find(lib, id, limit)
        except UsageError:
            point(last, where)  # a number says which there are
            raise
    if as_json:
        works = [
            {
                "rank": rank,
                "score": round(one.score, 6),
                "item": {"id": one.item.id, "title": one.item.title, "key": one.item.key or None},
                "passages": list(one.pair),
            }
            for rank, one in enumerate(found, 1)
        ]
        print_json({"schema": 1, "item": id, "works": works})
        return
    for rank, one in enumerate(found, 1):
        by = byline(one.item)
        sys.stdout.write(f"{rank:>3}  {one.score:.3f}  {heading(one.item)}{f' — {by}' if by else ''}\n")
