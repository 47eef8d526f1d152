"""``pincite search``."""

import sys
from collections.abc import Sequence
from enum import StrEnum
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
    from pincite.search.answer import Asked
    from pincite.values.results import Results
    from pincite.values.search import Filter


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    MD = "md"


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
        list[str] | None, typer.Option(help="Only works of this collection, and those below it.", show_default=False)
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only works of this kind (paper, book, thesis, … or a CSL type).", show_default=False),
    ] = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="Only passages in this language (en, german, …).", show_default=False)
    ] = None,
    as_json: JsonOption = False,
    form: Annotated[Format | None, typer.Option("--format", "-f", help="How results are written.")] = None,
    explained: Annotated[bool, typer.Option("--explain", help="Say of each work why it has its place.")] = False,
    pager: Annotated[bool, typer.Option("--pager/--no-pager", help="Long results through the pager.")] = True,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Find the works that answer a question, and the passages that say it."""
    text = " ".join(query).strip()
    if not text:
        from pincite.errors import UsageError

        raise UsageError("the query is empty; type a few words")
    form = Format.JSON if as_json else form or Format.TEXT
    with opened(library, config, engine=engine, embedder__model=model) as lib:
        lib.rankers_of(lib.config.settings.engine)
        _index_first(lib, form is not Format.TEXT)
        settings = lib.config.settings
        limit = settings.limit if limit is None else limit
        asked = lib.ask(text, limit=limit, filter=_filter(year, tag, collection, kind, lang))
        results = asked.results(limit)
        if results.degraded:
            note(f"the answer is incomplete: {results.degraded}")
        told = _explained(lib, asked, results) if explained else {}
        _remember(lib, results, config)
        _print(results, form, pager, told)


def _print(results: "Results", form: Format, pager: bool, told: dict[str, Any]) -> None:
    if form is Format.JSON:
        from pincite.search.as_json import results_json

        found = results_json(results)
        for hit in found["hits"] if told else ():
            hit["explain"] = told[hit["item"]["id"]]
        print_json(found)
    elif form is not Format.TEXT:
        from pincite.cli.formats import written

        sys.stdout.write(written(results, form))
    else:
        from pincite.cli.explain import lines
        from pincite.cli.render import paged, render

        with paged(pager) as console:
            render(results, console)
            for explanation in told.values():
                for line in lines(explanation):
                    console.print(line, markup=False, soft_wrap=True)


def _explained(lib: "Library", asked: "Asked", results: "Results") -> dict[str, Any]:
    from pincite.search.explain import explain

    return {hit.item.id: explain(lib, asked, hit.item.id, lib.config.settings.margin) for hit in results.hits}


def _remember(lib: "Library", results: "Results", config: str | None) -> None:
    from pincite.search.last import remember

    remember(lib.config.home, lib.name, results.query, results.engine, results.hits, config or "")


def _index_first(lib: "Library", quiet: bool) -> None:
    """A library that was never indexed is indexed now, as far as a person will wait."""
    if lib.indexed:
        return
    import gc

    from pincite.cli.progress import Bars
    from pincite.errors import Locked
    from pincite.plugin.sections import check_sections

    gc.enable()  # no longer a quick command
    check_sections(lib.config, lib.plugins)  # as the run does, but before anything is said of indexing
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


def _filter(
    year: str | None,
    tag: Sequence[str] | None,
    collection: Sequence[str] | None,
    kind: Sequence[str] | None,
    lang: Sequence[str] | None,
) -> "Filter":
    """What the options admit; they take what the field words of a query take (specs/06-query.md)."""
    from pincite.errors import UsageError
    from pincite.query.fields import kinds_of, language_of, years_of
    from pincite.values.search import Filter

    years = years_of(year) if year else None
    if year and years is None:
        raise UsageError(f"--year takes 2019, 2015..2019, ..2019 or >2015, not '{year}'")
    return Filter(
        years=years,
        tags=frozenset(tag or ()),
        collections=frozenset(collection or ()),
        kinds=frozenset(each for one in kind or () for each in kinds_of(one)),
        languages=frozenset(map(language_of, lang or ())),
    )
