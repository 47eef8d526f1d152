"""The places of a quotation for a person."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from pincite.cli.oneline import byline, heading, one_line, place
from pincite.cli.render import console_of, hanging, isolated, print_link
from pincite.text.readable import visible
from pincite.values.located import Located, Outcome, QuotePlace


def render_located(located: Located, console: Console | None = None) -> None:
    """Prints every place, or what comes nearest; not found is said, and is no failure."""
    console = console or console_of()
    if located.outcome is Outcome.NOT_FOUND:
        said = "This quotation is nowhere in the library."
        if located.nearest is not None:
            said += f" The nearest has {located.nearest.share:.0%} of it:"
        console.print(said, style="yellow", markup=False)
        console.print()
    elif located.outcome is Outcome.AMBIGUOUS:
        console.print(f"It stands in {located.total:,} places:", style="yellow", markup=False)
        console.print()
    for one in located.places or ((located.nearest,) if located.nearest is not None else ()):
        _place(console, one)
    if located.total > len(located.places):
        console.print(f"and {located.total - len(located.places):,} more", style="dim", markup=False)


def _place(console: Console, one: QuotePlace) -> None:
    hanging(console, Text(), Text(isolated(heading(one.item)), style="bold"))
    if about := byline(one.item):
        hanging(console, Text(), Text(isolated(about), style="dim"))
    parts = (place(one.page_label, one.page, one.section, one.kind), visible(one.passage or ""))
    hanging(console, Text(), Text(isolated(" · ".join(part for part in parts if part)), style="cyan"))
    hanging(console, Text("  "), Text(isolated(one_line(one.text))))
    if one.link:
        print_link(console, one.link, 2)
    console.print()
