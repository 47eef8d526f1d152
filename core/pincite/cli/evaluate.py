"""``pincite eval``."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, EngineOption, JsonOption, ModelOption, opened, print_json


def evaluate(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Holds docs.jsonl, queries.jsonl and qrels.tsv.", show_default=False)
    ],
    engine: EngineOption = None,
    as_json: JsonOption = False,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Measure an engine on a test collection (nDCG@10, R@100)."""
    from pincite.cli.progress import Bars
    from pincite.evaluation.evaluate import evaluate as run

    with opened(folder, config, engine=engine, embedder__model=model) as lib, Bars() as bars:
        outcome = run(lib, folder, bars)
    if as_json:
        print_json(outcome)
        return
    lines = [
        f"{outcome['folder']}: {outcome['queries']:,} queries, {outcome['documents']:,} documents, engine {outcome['engine']}"
    ]
    lines += _table("ranking", outcome["measures"])
    lines += _table("as shown", outcome["shown"])
    for lang, measures in outcome["languages"].items():
        lines += _table(lang, measures)
    sys.stdout.write("\n".join(lines) + "\n")


def _table(name: str, measures: dict[str, Any]) -> list[str]:
    return [f"  {name:<10} " + "  ".join(f"{key} {value:.4f}" for key, value in measures.items())]
