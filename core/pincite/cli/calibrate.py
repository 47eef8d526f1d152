"""``pincite calibrate``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, note, print_json, resolved


def calibrate(
    model: Annotated[
        str | None, typer.Argument(help="A model's name; else the configured one.", show_default=False)
    ] = None,
    triples: Annotated[
        Path | None,
        typer.Option(help="Triples of your own (specs/28-calibration.md), in place of pincite's.", show_default=False),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Use these figures from now on.")] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Measure at which score a model's matches begin: floor and ceiling, judged on other fields."""
    from pincite.calibration.files import own_calibration, write_calibration
    from pincite.calibration.record import embed_triples, record_and_judge
    from pincite.calibration.triples import fields_of, halves, own_triples, read_triples, readable
    from pincite.models.shelf import find_card
    from pincite.plugin.making import context_without_library, make_with, plugins_of

    found = resolved(config)
    if model:
        card = find_card(model, found.home)
        found = resolved(config, embedder__model=model, embedder__use=card.embedder)
    chosen = read_triples(triples) if triples else own_triples()
    plugins, use = plugins_of(found), found.settings.embedder.use
    context = context_without_library(found, plugins, note)
    embedder = make_with(plugins, "embedder", use, found.section("embedder", use), context)
    try:
        facts = embedder.facts
        chosen = readable(chosen, facts.languages)
        calibration, judged = record_and_judge(facts.id.partition("+")[0], embed_triples(embedder, chosen))
    finally:
        embedder.close()
    first, second = halves(chosen)
    path = own_calibration(found.home, facts.name)
    if keep:
        write_calibration(
            calibration,
            path,
            f"from {', '.join(fields_of(first))}; of {', '.join(fields_of(second))} {judged.near_misses:.1%} of near misses "
            f"and {judged.matches:.1%} of matches lie above the floor",
        )
    outcome: dict[str, Any] = {
        "schema": 1,
        "model": calibration.model,
        "floor": round(calibration.floor, 4),
        "ceiling": round(calibration.ceiling, 4),
        "triples": {"recorded": len(first), "judged": judged.triples},
        "near_misses_above_floor": round(judged.near_misses, 4),
        "matches_above_floor": round(judged.matches, 4),
        "kept": str(path) if keep else None,
    }
    if as_json:
        print_json(outcome)
        return
    lines = [
        f"{calibration.model}: floor {calibration.floor:.4f}, ceiling {calibration.ceiling:.4f} above a query's own level, "
        f"from {len(first)} triples",
        f"  of {judged.triples} triples of other fields: {judged.near_misses:.1%} of near misses and {judged.matches:.1%} of matches "
        "lie above the floor",
        f"  kept in {path}" if keep else "  not kept; --keep uses it from now on",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
