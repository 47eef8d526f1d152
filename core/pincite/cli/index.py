"""``pincite index``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, ModelOption, note, opened, print_json

if TYPE_CHECKING:
    from pincite.indexing.report import Report
    from pincite.library import Library

NAMED = 10
"""Files named in the summary; `pincite status` lists them all."""


def index(
    library: LibraryOption = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try files again that failed before.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Throw the index away and make it anew.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Words only; leave the vectors for another run.")] = False,
    as_json: JsonOption = False,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Bring the index of a library up to date."""
    from pincite.cli.progress import Bars

    with opened(library, config, embedder__model=model) as lib:
        if rebuild:
            from pincite.indexing.rebuild import throw_away

            lib.source().close()
            throw_away(lib)
        with Bars() as bars:
            report = lib.index(bars, retry=retry, embed=not words)
        if as_json:
            print_json(_as_json(report))
        tell_report(lib, report, listed=True)
        if report.failures or report.problems:
            sys.exit(3)
        if report.unfinished:
            note(report.unfinished)
            sys.exit(3)


def tell_report(lib: Library, report: Report, listed: bool = False) -> None:
    """The outcome in a few lines on standard error."""
    totals = report.totals
    waiting = f" ({totals.waiting:,} still waiting)" if totals.waiting else ""
    files = f"{totals.files:,} files: {totals.indexed:,} indexed, {totals.skipped:,} skipped{waiting}, {totals.failed:,} failed"
    note(f"{totals.items:,} items; {files}")
    if listed:
        for label, entries in (("failed", report.failures), ("skipped", report.skips), ("problem", report.problems)):
            for path, reason in entries[:NAMED]:
                note(f"{label}: {path}: {reason}")
            if len(entries) > NAMED:
                note(f"{label}: and {len(entries) - NAMED:,} more; `pincite status --library {lib.path}` lists them")
    elif report.failures or report.problems:
        count = len(report.failures) + len(report.problems)
        note(f"{count:,} could not be read; `pincite status --library {lib.path}` says which and why")


def _as_json(report: Report) -> dict[str, Any]:
    from dataclasses import asdict

    return {"schema": 1, **asdict(report)}
