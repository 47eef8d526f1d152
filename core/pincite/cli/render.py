"""Results for a person: the work, how relevant it is, and where it says so."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from pincite.cli.oneline import byline, counted, heading, one_line, place
from pincite.text.readable import readable, visible
from pincite.values.library import Item
from pincite.values.results import Hit, Passage, Results

if TYPE_CHECKING:
    from pincite.search.found import Found

BAR = 8
"""Cells of the relevance bar."""

UNINDEXED = "not indexed yet"
"""Said of a passage whose file was read for this answer alone."""

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_FIRST, _POP = "\u2068", "\u2069"
"""Isolates of the bidirectional algorithm (UAX #9): what is inside takes its own direction and turns nothing around it."""


def console_of(color: bool | None = None) -> Console:
    """The console of standard output: NO_COLOR and FORCE_COLOR are respected, as is the terminal's width."""
    return Console(highlight=False, emoji=False, no_color=None if color is None else not color, soft_wrap=False)


@contextmanager
def paged(wanted: bool = True) -> Iterator[Console]:
    """The console of standard output. Long output on a terminal goes through the pager (PAGER; less keeps colours with -R), as git's does;
    elsewhere it is printed."""
    console = console_of()
    if not (wanted and console.is_terminal and sys.stdin.isatty()):
        yield console
        return
    import os

    os.environ.setdefault("LESS", "-FRX")
    with console.pager(styles=not console.no_color, links=False):
        yield console


def render(results: Results, console: Console | None = None) -> None:
    """Prints the hits; nothing found is said, and is no failure."""
    console = console or console_of()
    _about(console, results)
    if not results.hits:
        console.print(f"Nothing in this library matches “{results.query}”.", markup=False)
        return
    width = len(str(results.hits[-1].rank))
    if all(hit.low_confidence for hit in results.hits):
        console.print("Nothing here matches well; these are the nearest:", style="yellow", markup=False)
    for hit in results.hits:
        _hit(console, hit, max(2, width))
    others = results.total - len(results.hits)
    if others > 0:
        told = f"{counted(others, 'more work')} to be seen with --limit {min(10_000, results.total)}"
        console.print(told, style="dim", markup=False)


def _about(console: Console, results: Results) -> None:
    """What was made of the query, and what it may have meant."""
    if results.understood:
        console.print(f"Understood: {', '.join(results.understood)}", style="dim", markup=False)
    for word, near in results.suggestions.items():
        console.print(
            f"“{word}” is not in this library; did you mean {' or '.join(near)}?", style="yellow", markup=False
        )


def _hit(console: Console, hit: Hit, width: int) -> None:
    head = Text(f"{hit.rank:>{width}}  ")
    filled = round(hit.relevance * BAR)
    head.append("█" * filled, style="yellow" if hit.low_confidence else "green")
    head.append("░" * (BAR - filled), style="dim")
    head.append("  ")
    title = Text(isolated(heading(hit.item)), style="bold")
    if hit.low_confidence:
        title.append("  low confidence", style="yellow")
    hanging(console, head, title)
    about = byline(hit.item)
    indent = width + 2
    if about:
        _print(console, Text(isolated(about), style="dim"), indent)
    for number, passage in enumerate(hit.passages, 1):
        _passage(console, f"{hit.rank}.{number}", passage, indent)
    for line in hit.unread.values():
        _print(console, Text(isolated(one_line(line)), style="yellow"), indent)
    if hit.more_passages:
        text = f"and {counted(hit.more_passages, 'more passage')}: pincite show {hit.rank} --matches"
        _print(console, Text(text, style="dim"), indent)
    console.print()


def _passage(console: Console, number: str, passage: Passage, indent: int) -> None:
    where = Text(number, style="cyan")
    if shown := place(passage.page_label, passage.page, passage.section, passage.kind):
        where.append(f"  {isolated(shown)}", style=f"cyan link {passage.link}" if _linkable(passage.link) else "cyan")
    if not passage.indexed:
        where.append(f"  {UNINDEXED}", style="yellow")
    _print(console, where, indent)
    _print(console, marked(passage), indent + 2)
    if passage.link and not console.is_terminal:
        _print(console, Text(visible(passage.link), style="dim blue", no_wrap=True), indent + 2)


def marked(passage: Passage) -> Text:
    """The sentence as it is read, the query's words marked."""
    sentence = Text()
    at = 0
    for start, end in passage.marks:
        sentence.append(readable(passage.sentence[at:start]))
        sentence.append(readable(passage.sentence[start:end]), style="bold yellow")
        at = end
    sentence.append(readable(passage.sentence[at:]))
    if _cut_before(passage):
        sentence = Text("… ") + sentence
    if _cut_after(passage):
        sentence.append(" …")
    if _RIGHT_TO_LEFT.search(sentence.plain):
        sentence = Text(_FIRST) + sentence + Text(_POP)
    return sentence


def _cut_before(passage: Passage) -> bool:
    """Whether the line begins within a sentence: it was windowed."""
    before = passage.text[: passage.at[0]].rstrip()
    return bool(before) and before[-1] not in '.!?。！？:;…"”»)' and len(passage.sentence) > 200


def _cut_after(passage: Passage) -> bool:
    last = passage.sentence.rstrip()[-1:]
    after = passage.text[passage.at[1] :].strip()
    return bool(after) and len(passage.sentence) > 200 and last not in '.!?。！？…"”»)'


def render_passages(found: Found, shown: Sequence[Found], whole: bool = False, console: Console | None = None) -> None:
    """A work's passages in full, in reading order; the one that is pointed at stands out."""
    console = console or console_of()
    _print(console, Text(isolated(heading(found.item)), style="bold"), 0)
    if about := byline(found.item):
        _print(console, Text(isolated(about), style="dim"), 0)
    console.print()
    for one in shown:
        chosen = one.chunk.row == found.chunk.row and not whole
        where = place(one.chunk.page_label, one.chunk.page, one.chunk.section, str(one.chunk.kind))
        parts = (where, "" if one.chunk.indexed else UNINDEXED, visible(one.chunk.id))
        head = " · ".join(part for part in parts if part)
        _print(console, Text(isolated(head), style="bold cyan" if chosen else "cyan"), 0)
        if one.text:
            # the lines of a note are its own, as those of its lists are; a document's are where its paper ended
            for paragraph in re.split(r"\n+" if one.chunk.kind == "note" else r"\n\s*\n", one.text):
                _print(console, Text(isolated(one_line(paragraph)), style="" if chosen or whole else "dim"), 2)
        else:
            text = "its file does not read as it did when it was indexed; `pincite index` brings it up to date"
            _print(console, Text(text, style="yellow"), 2)
        console.print()
    if found.link:
        print_link(console, found.link)


def render_matches(item: Item, passages: Sequence[Passage], console: Console | None = None) -> None:
    """Every passage of a work that matches, best first."""
    console = console or console_of()
    _print(console, Text(isolated(heading(item)), style="bold"), 0)
    for passage in passages:
        _passage(console, visible(passage.id), passage, 0)
    if not passages:
        console.print("No passage of it matches the last query.", markup=False)


def isolated(text: str) -> str:
    """A text with letters that are written from right to left, kept from turning around what stands beside it."""
    return f"{_FIRST}{text}{_POP}" if _RIGHT_TO_LEFT.search(text) else text


def _print(console: Console, text: Text, indent: int) -> None:
    """Wrapped to the terminal's width by cells, so that wide characters align, below an indent."""
    hanging(console, Text(" " * indent), text)


def print_link(console: Console, link: str, indent: int = 0) -> None:
    """A link on a line of its own, never wrapped."""
    console.print(Text(" " * indent + visible(link), style="dim blue", no_wrap=True, overflow="ignore"), soft_wrap=True)


def hanging(console: Console, head: Text, text: Text) -> None:
    """A text behind a head, its further lines below its first. A text without a break that is longer than a line stays whole."""
    if text.no_wrap:
        console.print(head + text, soft_wrap=True)
        return
    before = head
    for line in text.wrap(console, max(16, console.width - head.cell_len)):
        line.rstrip()
        console.print(before + line, soft_wrap=True)
        before = Text(" " * head.cell_len)


def _linkable(link: str) -> bool:
    """Whether a terminal can carry it as a hyperlink: no control character, no white space."""
    return bool(link) and all(unicodedata.category(char)[0] not in "CZ" for char in link)
