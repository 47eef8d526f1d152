"""``pincite show``."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, print_json
from pincite.cli.pointing import WhereArgument, pointed


def show(
    where: WhereArgument,
    every: Annotated[bool, typer.Option("--all", help="Every passage of the work, in reading order.")] = False,
    matches: Annotated[
        bool, typer.Option("--matches", help="Every passage of the work that matches the last query, best first.")
    ] = False,
    around: Annotated[int, typer.Option("--around", help="Passages before and after it.", min=0, max=50)] = 1,
    as_json: JsonOption = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
) -> None:
    """Print a whole passage with what stands around it."""
    from pincite.search import found as passages

    with pointed(where, library, config) as (lib, found):
        if matches:
            _matches(lib, found, as_json)
            return
        if every:
            shown = passages.every(lib.store, found.chunk.item)
        else:
            before, after = passages.around(lib.store, found, around)
            shown = [*before, found, *after]
        if as_json:
            print_json({"schema": 1, "passage": found.chunk.id, "passages": [passage_json(one) for one in shown]})
            return
        from pincite.cli.render import render_passages

        render_passages(found, shown, whole=every)
    sys.stdout.flush()


def _matches(lib: Any, found: Any, as_json: bool) -> None:
    from pincite.errors import UsageError
    from pincite.search.as_json import passage_json as shown_json
    from pincite.search.last import recall

    last = recall(lib.config.home)
    if last is None:
        raise UsageError("there is no last query; search first")
    passages = lib.ask(last.query, engine=last.engine).session.all_passages(found.chunk.item)
    if as_json:
        print_json({"schema": 1, "passages": [shown_json(one) for one in passages]})
        return
    from pincite.cli.render import render_matches

    render_matches(found.item, passages)


def passage_json(found: Any) -> dict[str, Any]:
    """A passage as plain data (specs/10-search-json.md)."""
    chunk = found.chunk
    return {
        "id": chunk.id,
        "kind": str(chunk.kind),
        "text": found.text,
        "section": list(chunk.section),
        "page": chunk.page,
        "page_label": chunk.page_label,
        "anchor": chunk.anchor,
        "attachment": chunk.attachment or None,
        "link": found.link,
    }
