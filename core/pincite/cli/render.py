"""Results for a person: the work, how relevant it is, and where it says so."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pincite.text.readable import readable
from pincite.values.library import Item
from pincite.values.results import Hit, Passage, Results

BAR = 8
"""Cells of the relevance bar."""


def render(results: Results, console: Console | None = None) -> None:
    """Prints the hits; nothing found is said, and is no failure."""
    console = console or Console(highlight=False)
    if not results.hits:
        console.print(f"Nothing in this library matches “{results.query}”.", markup=False)
        return
    for hit in results.hits:
        _hit(console, hit)
    others = results.total - len(results.hits)
    if others > 0:
        console.print(
            f"{others:,} more works match; --limit {min(10_000, results.total)} shows them.", style="dim", markup=False
        )


def _hit(console: Console, hit: Hit) -> None:
    head = Text(f"{hit.rank:>2}  ")
    head.append(one_line(hit.item.title) or hit.item.id, style="bold")
    head.append("  ")
    filled = round(hit.relevance * BAR)
    head.append("█" * filled, style="green")
    head.append("░" * (BAR - filled), style="dim")
    console.print(head)
    about = byline(hit.item)
    if about:
        console.print(Padding(Text(about, style="dim"), (0, 0, 0, 4)))
    for passage in hit.passages:
        _passage(console, passage)
    if hit.more_passages:
        passages = "passage" if hit.more_passages == 1 else "passages"
        console.print(Padding(Text(f"and {hit.more_passages} more {passages}", style="dim"), (0, 0, 0, 4)))
    console.print()


def _passage(console: Console, passage: Passage) -> None:
    where = place(passage)
    if where:
        console.print(Padding(Text(where, style="cyan"), (0, 0, 0, 4)))
    sentence = Text()
    at = 0
    for start, end in passage.marks:
        sentence.append(readable(passage.sentence[at:start]))
        sentence.append(readable(passage.sentence[start:end]), style="bold yellow")
        at = end
    sentence.append(readable(passage.sentence[at:]))
    console.print(Padding(sentence, (0, 0, 0, 6)))
    if passage.link:
        console.print(Padding(Text(passage.link, style="dim blue", no_wrap=True, overflow="fold"), (0, 0, 0, 6)))


def place(passage: Passage) -> str:
    """The page and the section: "p. 12 · Methods › Sampling"."""
    parts = []
    label = passage.page_label or (str(passage.page) if passage.page else "")
    if label:
        parts.append(f"p. {label}")
    section = " › ".join(one_line(title) for title in passage.section)
    if section:
        parts.append(section if len(section) <= 100 else "…" + section[-99:])
    return " · ".join(parts)


def byline(item: Item) -> str:
    """Creators, year and venue in one line."""
    names = [creator.family for creator in item.creators if creator.role in ("author", "editor")] or [
        creator.family for creator in item.creators
    ]
    shown = ", ".join(names[:3]) + (" et al." if len(names) > 3 else "")
    return " · ".join(
        part for part in (shown, str(item.year) if item.year else item.date, one_line(item.venue)) if part
    )


def one_line(text: str) -> str:
    """A text as it is read, on one line."""
    return readable(text).strip()
