"""find_similar: works like one of the library's."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from pincite.library import Library
from pincite.search import found as passages
from pincite.search.found import item_row
from pincite.search.quote import LONGEST as LINE
from pincite.search.similar import Similar as Alike
from pincite.search.similar import similar
from pincite.spec import Cancel
from pincite.values.library import Item
from pincite_plugins.services.mcp import budget, words
from pincite_plugins.services.mcp.shapes import Like, Similar, Work
from pincite_plugins.services.mcp.tool import Asks, Call, Id, Tool
from pincite_plugins.services.mcp.tools.find import TOP


class FindSimilar(Asks):
    """Arguments of find_similar."""

    item: str = Id
    top_k: int = Field(5, ge=1, le=TOP, description="Works.")
    min_score: float = Field(-1.0, ge=-1, le=1, description="Least mean cosine.")


async def find_similar(call: Call, asks: FindSimilar) -> Similar:
    """Works by all their passages."""
    desk = await call.desk_of_item(asks.item)

    def work(library: Library, cancelled: Cancel) -> tuple[Item, list[Like]]:
        store = library.store
        row = item_row(store, asks.item)
        record = store.records([row])[row]
        likes = similar(library, record.item.id, asks.top_k, cancelled)
        return record.item, [_like(library, one) for one in likes if one.score >= asks.min_score]

    item, likes = await desk.ask(work)
    answer = Similar(degraded=call.said, of=Work(**words.work(item)), works=[])
    room = asks.budget - len(budget.written(answer.plain())) - budget.SAYING
    answer.works, answer.left_out = _fitted(likes, room)
    return answer


def _like(library: Library, one: Alike) -> Like:
    own, other = one.pair
    found = passages.find(library.store, other)
    shown = words.passage(found.item, found.chunk, found.link, words.short(found.text, LINE) or None)
    return Like(**words.work(one.item), score=round(one.score, 3), own_passage=own, passage=shown)


def _fitted(likes: Sequence[Like], room: int) -> tuple[list[Like], list[str] | None]:
    """With the passage that is alike, else, where fewer than all would fit, without."""
    kept = budget.first(likes, room)
    if kept == len(likes):
        return list(likes), None
    bare = [one.model_copy(update={"passage": None}) for one in likes]
    kept = budget.first(bare, room)
    said = ["the passages that are alike"]
    if kept < len(bare):
        said.append(f"{len(bare) - kept} works")
    return bare[:kept], [" and ".join(said) + ", to fit the budget"]


FIND_SIMILAR = Tool(
    "find_similar",
    "Works like this one",
    "Works of the library most like one of its works (id or citation key), compared by all their passages.",
    FindSimilar,
    Similar,
    find_similar,
)
