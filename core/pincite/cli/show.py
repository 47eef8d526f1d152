"""``pincite show``."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, note, print_json
from pincite.cli.pointing import WhereArgument, pointed

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.search.found import Found
    from pincite.values.results import Passage

BEST = 3
"""Passages of files that are not indexed yet which stand beside a work that has no other."""


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
    from pincite.search import anywhere

    with pointed(where, library, config) as (lib, found):
        if matches:
            _matches(lib, found, as_json)
            return
        unread: list[str] = []
        if every:
            shown, unread = anywhere.every(lib, found.chunk.item)
        elif found.chunk.child:
            before, after = anywhere.around(lib, found, around)
            shown = [*before, found, *after]
        else:
            best, unread = _unindexed(lib, found)
            shown = [found, *best]
        for line in unread:
            note(line)
        if as_json:
            print_json({"schema": 1, "passage": found.chunk.id, "passages": [passage_json(one) for one in shown]})
            return
        from pincite.cli.render import paged, render_passages

        with paged() as console:
            render_passages(found, shown, whole=every, console=console)
    sys.stdout.flush()


def _unindexed(lib: "Library", found: "Found") -> "tuple[list[Found], list[str]]":
    """What a work's files that are not indexed yet say of the last query, best first, and why others say nothing."""
    from pincite.search import anywhere

    passages, unread = anywhere.every(lib, found.chunk.item)
    read = {one.chunk.id: one for one in passages if not one.chunk.indexed}
    if not read:
        return [], unread
    return [read[one.id] for one in _matching(lib, found) if one.id in read][:BEST], unread


def _matching(lib: "Library", found: "Found") -> "list[Passage]":
    from pincite.errors import UsageError
    from pincite.search.last import recall

    last = recall(lib.config.home)
    if last is None or not last.query:
        raise UsageError("there is no last query; search first")
    asked = lib.ask(last.query, engine=last.engine or None)
    return asked.session.all_passages(found.chunk.item, lib.config.settings.index.timeout)


def _matches(lib: "Library", found: "Found", as_json: bool) -> None:
    from pincite.search.as_json import passage_json as shown_json

    passages = _matching(lib, found)
    if as_json:
        print_json({"schema": 1, "passages": [shown_json(one) for one in passages]})
        return
    from pincite.cli.render import paged, render_matches

    with paged() as console:
        render_matches(found.item, passages, console)


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
        "indexed": chunk.indexed,
    }
