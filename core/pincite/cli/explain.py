"""``pincite explain``, and what ``pincite search --explain`` prints."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, print_json
from pincite.text.readable import visible


def explain(
    where: Annotated[
        str | None, typer.Argument(metavar="N", help="A hit of the last results.", show_default=False)
    ] = None,
    item: Annotated[
        str | None,
        typer.Option(
            "--item", metavar="KEY", help="A work by its citation key or id, found or not.", show_default=False
        ),
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", "-q", help="Another query than the last.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
) -> None:
    """Say why a work has its place among the last results, or is missing from them."""
    from pincite.cli.pointing import opened_last
    from pincite.config.load import home
    from pincite.errors import UsageError
    from pincite.search.explain import explain as explained
    from pincite.search.last import point, recall

    last = recall(home())
    if last is None and query is None:
        raise UsageError("there are no last results to explain; search first, or give --query and --item")
    if (where is None) == (item is None):
        raise UsageError("explain a hit of the last results by its number, or a work with --item KEY")
    id = item or point(last, where or "").item
    if not id:
        raise UsageError(f"'{where}' is not the number of a hit; a work is named with --item KEY")
    with opened_last(last, library, config, meant=item is None) as lib:
        asked = lib.ask(query or (last.query if last else ""), engine=last.engine if last else None)
        told = explained(lib, asked, id, lib.config.settings.margin)
    if as_json:
        print_json(told)
    else:
        for line in lines(told):
            typer.echo(line)


def lines(told: dict[str, Any]) -> list[str]:
    """An explanation as a person reads it."""
    from pincite.cli.oneline import one_line

    item = told["item"]
    place = f"rank {told['rank']}" if told["rank"] else "not among the results"
    out = [f"{one_line(item['title']) or item['id']}: {place}"]
    if told["absent"]:
        out.append(f"  why not: {told['absent']}")
    out += [f"  {line}" for line in told["unread"]]
    if told["fuser"]["score"] is not None:
        parts = " + ".join(f"{name} {part:.4f}" for name, part in told["fuser"]["parts"].items())
        out.append(
            f"  {told['fuser']['name']}: {parts} = {told['fuser']['score']:.4f}; relevance {told['relevance']:.2f}"
        )
    for name, said in told["rankers"].items():
        out.append(f"  {name}: {said['decision']}")
        if "score" not in said:
            continue
        rank = f"rank {said['rank']}, " if said["rank"] else ""
        out.append(
            f"    {rank}score {said['score']:.4f}, fraction {said['fraction']:.2f} of a best {said['best_fraction']:.2f} "
            f"(margin {said['margin']:.2f}); best passage {said['passage']}"
        )
        out += [f"    {line}" for line in _plain(said["why"])]
    return [visible(line) for line in out]


def _plain(why: dict[str, Any]) -> list[str]:
    """A ranker's own words: a line for each word of the query, the rest as it comes."""
    out = []
    rest = {name: value for name, value in why.items() if name != "words"}
    words = why.get("words")
    if isinstance(words, list):
        for word in words:
            said = {name: value for name, value in word.items() if name != "word"}
            forms = said.pop("forms", None)
            shown = ", ".join(f"{name} {_short(value)}" for name, value in said.items())
            also = f" (as {', '.join(forms[:6])})" if forms and forms != [word["word"]] else ""
            out.append(f"{word['word']}{also}: {shown}")
    if rest:
        out.append(", ".join(f"{name.replace('_', ' ')} {_short(value)}" for name, value in rest.items()))
    return out


def _short(value: Any) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
