"""cite: a citation with its page."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pincite.citing.styles import STYLES, key_of, page_place
from pincite.errors import UsageError
from pincite.library import Library
from pincite.search import anywhere
from pincite.search.found import Found, item_row, whole_item
from pincite.spec import Cancel
from pincite_plugins.services.mcp import words
from pincite_plugins.services.mcp.shapes import Cited
from pincite_plugins.services.mcp.tool import Asks, Call, Id, Tool


class Cite(Asks):
    """Arguments of cite."""

    passage: str = Id
    style: Literal["pandoc", "latex", "typst", "plain"] = Field("pandoc", description="How it is written.")


async def cite(call: Call, asks: Cite) -> Cited:
    """The citation of a passage with its page, or of a work as a whole."""

    def known(library: Library) -> bool:
        try:
            pointed(library, asks.passage)
        except UsageError:
            return False
        return True

    place, said = await call.shelf.holding(asks.passage, known, call.tell)

    def work(library: Library, cancelled: Cancel) -> tuple[Found, bool]:
        return pointed(library, asks.passage)

    found, whole = await place.desk.ask(work)
    item, chunk = found.item, found.chunk
    where = page_place(None, None) if whole else page_place(chunk.page_label, chunk.page)
    return Cited(
        degraded=said,
        citation=STYLES[asks.style](item, where),
        style=asks.style,
        key=key_of(item),
        key_is_made=not item.key,
        item=item.id,
        passage=None if whole else chunk.id,
        title=words.short(item.title),
        page_label=None if whole else chunk.page_label,
        page=None if whole else chunk.page,
        link=(item.link if whole else found.link) or None,
    )


def pointed(library: Library, name: str) -> tuple[Found, bool]:
    """A passage by its id, else a work by its id or citation key; and whether it is a whole work. Raises `UsageError`."""
    if anywhere.has(library, name):
        return anywhere.find(library, name), False
    store = library.store
    try:
        row = item_row(store, name)
    except UsageError:
        raise UsageError(f"no passage or work has the id '{words.short(name)}'; search gives the ids") from None
    return whole_item(store, store.item_ids([row])[row]), True


CITE = Tool(
    "cite",
    "Cite with its page",
    "The citation of a passage (its id) with its page, ready to paste; of a work as a whole where its id or citation key is given.",
    Cite,
    Cited,
    cite,
)
