"""locate_quote: does the library say this, and where."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pincite.citing.styles import key_of
from pincite.library import Library
from pincite.locating.locate import LONGEST
from pincite.spec import Cancel
from pincite.text.readable import readable
from pincite.values.located import Located, QuotePlace
from pincite_plugins.services.mcp import budget, words
from pincite_plugins.services.mcp.shapes import Answer, Place
from pincite_plugins.services.mcp.tool import Asks, Call, Tool


class LocateQuote(Asks):
    """Arguments of locate_quote."""

    quote: str = Field(min_length=1, max_length=LONGEST, description="The words, as quoted.")


class Quoted(Answer):
    """Where a quotation stands."""

    outcome: Literal["found", "ambiguous", "not found"]
    total: int = Field(description="Places.")
    places: list[Place]
    nearest: Place | None = Field(None, description="Where it is not found: what comes nearest.")


async def locate_quote(call: Call, asks: LocateQuote) -> Quoted:
    """Every place of a quotation, or what comes nearest."""
    desk = (await call.place()).desk

    def work(library: Library, cancelled: Cancel) -> Located:
        return library.locate(asks.quote, cancelled=cancelled)

    located = await desk.ask(work)
    nearest = None if located.nearest is None else _place(located.nearest)
    answer = Quoted(degraded=call.said, outcome=located.outcome.value, total=located.total, places=[], nearest=nearest)
    room = asks.budget - len(budget.written(answer.plain())) - budget.SAYING
    every = [_place(one) for one in located.places]
    kept = budget.first(every, room)
    if every and not kept:  # one place is always said: the caller has the words
        every[0] = every[0].model_copy(update={"quoted_text": None})
        kept = 1
    answer.places = every[:kept]
    if kept < located.total:
        answer.left_out = [f"{located.total - kept} places, to fit the budget"]
    return answer


def _place(one: QuotePlace) -> Place:
    return Place(
        passage=one.passage or None,
        item=one.item.id,
        key=words.short(key_of(one.item)),
        title=words.short(one.item.title),
        kind=one.kind,
        share=round(one.share, 3),
        section=[words.short(title, 80) for title in one.section[-words.DEPTH :]] or None,
        page_label=one.page_label,
        page=one.page,
        link=one.link or None,
        quoted_text=readable(one.text).strip(),
    )


LOCATE_QUOTE = Tool(
    "locate_quote",
    "Find a quotation",
    "Whether the library says these very words, and where: work, page, passage. Breaks of lines and pages, hyphens and citations in between"
    " do not matter; for what it does not say, the nearest.",
    LocateQuote,
    Quoted,
    locate_quote,
)
