"""get_passage and get_outline: reading on from a hit."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from pincite.indexing.plain import pack_of
from pincite.library import Library
from pincite.search import anywhere
from pincite.search.found import item_row
from pincite.spec import Cancel, Store
from pincite.values.library import Record
from pincite.values.pack import Pack
from pincite.values.search import Chunk
from pincite_plugins.services.mcp import budget, words
from pincite_plugins.services.mcp.parts import part_uri, parts_of
from pincite_plugins.services.mcp.shapes import Around, Heading, Outline, Outlined, Passage, Work
from pincite_plugins.services.mcp.tool import Asks, Call, Id, Tool


class GetPassage(Asks):
    """Arguments of get_passage."""

    id: str = Id
    context: int = Field(0, ge=0, le=20, description="Passages before and after it.")


class GetOutline(Asks):
    """Arguments of get_outline."""

    item: str = Id


async def get_passage(call: Call, asks: GetPassage) -> Around:
    """A whole passage with its neighbours."""
    desk = await call.desk_of_passage(asks.id)

    def work(library: Library, cancelled: Cancel) -> Around:
        found = anywhere.find(library, asks.id, cancelled)
        before, after = anywhere.around(library, found, asks.context) if asks.context else ([], [])
        gone = None if found.text else "the file has changed since it was indexed, so its text cannot be shown"
        return Around(
            degraded="; ".join(filter(None, (call.said, gone))) or None,
            work=Work(**words.work(found.item)),
            before=[words.found(one) for one in before],
            passage=words.found(found),
            after=[words.found(one) for one in after],
        )

    return _within(await desk.ask(work), asks.budget)


def _within(answer: Around, room: int) -> Around:
    """The passage first, then its neighbours from the nearest out; a passage that is too long is cut."""
    before, after = answer.before[::-1], answer.after
    answer.before, answer.after = [], []
    said = []
    text = answer.passage.quoted_text or ""
    room -= len(budget.written(answer.plain())) + budget.SAYING
    if room < 0:
        shown = budget.clipped(text, max(40, len(budget.written(text)) - 2 + room))
        answer.passage.quoted_text = shown
        said.append(f"the last {len(text) - len(shown) + 1} characters of the passage")
    neighbours = [one for pair in _paired(before, after) for one in pair]
    kept = budget.first([one for _, one in neighbours], room) if room > 0 else 0
    for earlier, one in neighbours[:kept]:
        if earlier:
            answer.before.insert(0, one)
        else:
            answer.after.append(one)
    if kept < len(neighbours):
        said.append(f"{len(neighbours) - kept} passages around it")
    answer.left_out = [" and ".join(said) + ", to fit the budget"] if said else None
    return answer


def _paired(before: Sequence[Passage], after: Sequence[Passage]) -> list[list[tuple[bool, Passage]]]:
    """(is before, passage), the nearest of both sides first."""
    return [
        [(True, one) for one in before[at : at + 1]] + [(False, one) for one in after[at : at + 1]]
        for at in range(max(len(before), len(after)))
    ]


async def get_outline(call: Call, asks: GetOutline) -> Outline:
    """The headings of a work's files, each with its page and its first passage."""
    desk = await call.desk_of_item(asks.item)

    def work(library: Library, cancelled: Cancel) -> Outline:
        row = item_row(library.store, asks.item)
        record = library.store.records([row])[row]
        return Outline(
            degraded=call.said,
            work=Work(**words.work(record.item)),
            notes=len(record.notes),
            annotations=len(record.annotations),
            files=outlines(library.store, row, record),
        )

    answer = await desk.ask(work)
    every = [list(one.headings) for one in answer.files]
    for one in answer.files:
        one.headings = []
    room = asks.budget - len(budget.written(answer.plain())) - budget.SAYING
    left = 0
    for one, headings in zip(answer.files, every, strict=True):
        kept = budget.first(headings, room)
        one.headings = headings[:kept]
        room -= sum(budget.size(heading) for heading in one.headings)
        left += len(headings) - kept
    answer.left_out = [f"{left} headings, to fit the budget"] if left else None
    return answer


def outlines(store: Store, row: int, record: Record) -> list[Outlined]:
    """One for each file of a work whose text is there."""
    chunks = sorted(store.chunks(store.rows_of_item(row).tolist()).values(), key=lambda chunk: chunk.row)
    made = []
    number = 1
    for attachment in record.attachments:
        pack = pack_of(store, attachment)
        if pack is None:
            continue
        own = [chunk for chunk in chunks if chunk.child == attachment.id]
        parts = len(parts_of(pack))
        made.append(
            Outlined(
                attachment=attachment.id,
                title=words.short(attachment.title) or None,
                format=pack.format,
                pages=len(pack.pages) or None,
                parts=part_uri(record.item.id, number) if parts else None,
                headings=_headings(pack, own),
            )
        )
        number += parts
    return made


def _headings(pack: Pack, chunks: Sequence[Chunk]) -> list[Heading]:
    begins: dict[int, tuple[int, int | None]] = {}
    for block in pack.blocks:
        begins.setdefault(block.section, (block.start, block.page))
    made = []
    for number, section in enumerate(pack.sections):
        start, page = begins.get(number, (-1, None))
        below = next((one.id for one in chunks if one.spans and one.spans[-1][1] > start), None) if start >= 0 else None
        made.append(
            Heading(
                title=words.short(section.title),
                level=section.level,
                page_label=pack.label(page),
                page=page,
                passage=below,
            )
        )
    return made


GET_PASSAGE = Tool(
    "get_passage",
    "Read a passage",
    "A whole passage by its id, with what stands before and after it.",
    GetPassage,
    Around,
    get_passage,
)

GET_OUTLINE = Tool(
    "get_outline",
    "Headings of a work",
    "The headings of a work (id or citation key), each with its page and the id of its first passage.",
    GetOutline,
    Outline,
    get_outline,
)
