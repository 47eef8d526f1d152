"""``pincite models``: what models there are, and what their cards say."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, print_json, resolved

app = typer.Typer(help="List the embedding models, or show one.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_models(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List every model that has a card: its state, width, window, licence and languages."""
    from pincite.models.origin import NotHere, find
    from pincite.models.shelf import cards

    found = resolved(config)
    rows = []
    for name, card in sorted(cards(found.home).items()):
        if name != card.name:
            continue
        try:
            find(card)
            here = "here"
        except NotHere:
            here = "not installed"
        rows.append((card, here if card.status == "ready" else card.status))
    if as_json:
        print_json({"schema": 1, "models": [_facts(card) | {"state": state} for card, state in rows]})
        return
    for card, state in rows:
        languages = f"{len(card.languages)} languages" if len(card.languages) != 1 else card.languages[0]
        sys.stdout.write(
            f"{card.name:<28} {state:<14} {card.width:>5} wide {card.tokens:>6} tokens  {card.licence:<12} {languages}\n"
        )


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(help="A model's name.", show_default=False)],
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Show what the card of a model says."""
    from pincite.models.shelf import find_card

    facts = _facts(find_card(name, resolved(config).home))
    if as_json:
        print_json({"schema": 1, **facts})
        return
    for key, value in facts.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        sys.stdout.write(f"{key:<16} {shown}\n")


def _facts(card: Any) -> dict[str, Any]:
    facts: dict[str, Any] = card.model_dump(mode="json")
    return facts
