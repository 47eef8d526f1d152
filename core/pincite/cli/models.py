"""``pincite models``: what models there are, what their cards say, adding one, and checking that one is right."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, note, print_json, resolved

app = typer.Typer(
    help="List the embedding models, show, add or verify one.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)

NameArgument = Annotated[str, typer.Argument(help="A model's name.", show_default=False)]


@app.command("list")
def list_models(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List every model that has a card, and whether it is on this machine."""
    from pincite.models.commands import list_models as listed

    models = listed(resolved(config).home)
    if as_json:
        rows = [
            {
                "name": one.card.name,
                "state": one.state,
                "bytes": one.size,
                "get": one.get or None,
                "width": one.card.width,
                "tokens": one.card.tokens,
                "licence": one.card.licence,
                "languages": list(one.card.languages),
            }
            for one in models
        ]
        print_json({"schema": 1, "models": rows})
        return
    for one in models:
        card = one.card
        languages = f"{len(card.languages)} languages" if len(card.languages) > 1 else "".join(card.languages)
        size = f"{one.size / 1e6:,.0f} MB" if one.size else ""
        sys.stdout.write(
            f"{card.name:<28} {one.state:<12} {size:>7} {card.width:>5} wide {card.tokens:>6} tokens  "
            f"{card.licence:<11} {languages}\n"
        )


@app.command("show")
def show(name: NameArgument, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show what the card of a model says."""
    from pincite.models.commands import show_model

    facts = show_model(name, resolved(config).home)
    if as_json:
        print_json({"schema": 1, "model": facts})
        return
    for key, value in facts.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        sys.stdout.write(f"{key:<16} {shown}\n")


@app.command("add")
def add(
    card: Annotated[str, typer.Argument(metavar="FILE", help="A model card (TOML).", show_default=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a card of that name.")] = False,
    config: ConfigOption = None,
) -> None:
    """Add the card of a model; `--model NAME` uses it from then on."""
    from pincite.models.commands import add_model

    added = add_model(Path(card).expanduser(), resolved(config).home, replace=replace)
    note(
        f"model {added.name} added; `pincite models verify {added.name}` checks it, where its card has recorded vectors"
    )


@app.command("verify")
def verify(name: NameArgument, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Compute a model's recorded vectors again, and name what is wrong: tokenizer, prefix, pooling, width or weights."""
    from pincite.models.commands import verify_model
    from pincite.models.shelf import find_card
    from pincite.plugin.making import context_without_library, make_with, plugins_of

    found = resolved(config)
    card = find_card(name, found.home)
    plugins = plugins_of(found)
    context = context_without_library(found, plugins, note)
    embedder: Any = make_with(plugins, "embedder", card.embedder, {"model": card.name}, context)
    try:
        verdicts = verify_model(card, embedder, found.home)
    finally:
        embedder.close()
    wrong = [one for one in verdicts if one.fault]
    if as_json:
        checks = [{"kind": one.kind, "cosine": round(one.cosine, 5), "fault": one.fault or None} for one in verdicts]
        print_json({"schema": 1, "model": card.name, "ok": not wrong, "checks": checks})
    else:
        for one in verdicts:
            sys.stdout.write(f"{one.kind:<8} cosine {one.cosine:.5f}  {one.fault or 'ok':<10} {one.text[:60]!r}\n")
        lowest = min(one.cosine for one in verdicts)
        verdict = f"{len(wrong)} of {len(verdicts)} differ" if wrong else "all agree"
        sys.stdout.write(f"{card.name}: {verdict}; lowest cosine {lowest:.5f}\n")
    if wrong:
        sys.exit(1)
