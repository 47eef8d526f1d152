"""``pincite search``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.options import (
    ConfigOption,
    EngineOption,
    JsonOption,
    LibraryOption,
    ModelOption,
    note,
    opened,
    print_json,
)

if TYPE_CHECKING:
    from pincite.library import Library


def search(
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help="What you look for, in words.", show_default=False)
    ],
    library: LibraryOption = None,
    engine: EngineOption = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="How many works.", show_default=False)] = None,
    year: Annotated[
        str | None, typer.Option(help="2019, or 2015..2019; either end may be left out.", show_default=False)
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only works with this tag.", show_default=False)] = None,
    collection: Annotated[
        list[str] | None, typer.Option(help="Only works of this collection.", show_default=False)
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only works of this kind (a CSL type).", show_default=False)
    ] = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="Only passages in this language (en, de, …).", show_default=False)
    ] = None,
    as_json: JsonOption = False,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Find the works that answer a question, and the passages that say it."""
    text = " ".join(query)
    if not text.strip():
        from pincite.errors import UsageError

        raise UsageError("the query is empty; type a few words")
    with opened(library, config, engine=engine, embedder__model=model) as lib:
        lib.rankers_of(lib.config.settings.engine)
        _index_first(lib, as_json)
        results = lib.search(text, limit=limit, filter=_filter(year, tag, collection, kind, lang))
        if results.degraded:
            note(f"the answer is incomplete: {results.degraded}; `pincite index` finishes the index")
        if as_json:
            from pincite.search.as_json import results_json

            print_json(results_json(results))
        else:
            from pincite.cli.render import render

            render(results)


def _index_first(lib: Library, quiet: bool) -> None:
    """A library that was never indexed is indexed now, as far as a person will wait."""
    if lib.indexed:
        return
    from pincite.cli.progress import Bars
    from pincite.errors import Locked

    words_only = "vector" not in lib.rankers_of(lib.config.settings.engine)
    note(f"{lib.path}: not indexed yet; indexing it first")
    try:
        with Bars() as bars:
            report = lib.index(bars, seconds=lib.config.settings.index.patience, embed=not words_only)
    except Locked as error:
        note(str(error))
        return
    from pincite.cli.index import tell_report

    tell_report(lib, report)


def _filter(year: str | None, tag: Any, collection: Any, kind: Any, lang: Any) -> Any:
    from pincite.errors import UsageError
    from pincite.values.search import Filter

    years = None
    if year:
        low, dots, high = year.partition("..")
        try:
            first = int(low) if low else None
            years = (first, int(high) if high else None) if dots else (first, first)
        except ValueError:
            raise UsageError(f"--year takes 2019 or 2015..2019, not '{year}'") from None
    return Filter(
        years=years,
        tags=frozenset(tag or ()),
        collections=frozenset(collection or ()),
        kinds=frozenset(kind or ()),
        languages=frozenset(lang or ()),
    )
