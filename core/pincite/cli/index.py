"""``pincite index``, and ``pincite retry``."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.oneline import counted
from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, ModelOption, note, opened, print_json

if TYPE_CHECKING:
    from pincite.errors import PinciteError
    from pincite.indexing.report import Report
    from pincite.library import Library

NAMED = 10
"""Files named in the summary; `pincite status` lists them all."""


class Progress(StrEnum):
    """How progress is shown."""

    AUTO = "auto"
    BARS = "bars"
    PLAIN = "plain"
    JSON = "json"
    NONE = "none"


ProgressOption = Annotated[
    Progress,
    typer.Option(
        "--progress", help="Bars on a terminal and plain lines elsewhere (auto), or JSON lines on standard error."
    ),
]


def index(
    library: LibraryOption = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try files again that failed before.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Throw the index away and make it anew.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Words only; leave the vectors for another run.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and index whenever the library changes.")] = False,
    progress: ProgressOption = Progress.AUTO,
    as_json: JsonOption = False,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Bring the index of a library up to date."""
    with opened(library, config, embedder__model=model) as lib:
        if rebuild:
            from pincite.indexing.rebuild import throw_away

            lib.source().close()
            throw_away(lib)
        if watch:
            _watch(lib, progress, as_json, not words)
            return
        sys.exit(once(lib, progress, as_json, retry=retry, embed=not words))


def retry(
    library: LibraryOption = None,
    progress: ProgressOption = Progress.AUTO,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Try the files again that failed, parked ones too."""
    with opened(library, config) as lib:
        sys.exit(once(lib, progress, as_json, retry=True, embed=True))


def once(lib: Library, progress: Progress, as_json: bool, *, retry: bool, embed: bool) -> int:
    """One run; the exit code (specs/13-exit-codes.md)."""
    from pincite.cli.progress import Bars

    with Bars(progress.value) as bars:
        report = lib.index(bars, retry=retry, embed=embed)
    if as_json:
        print_json(_as_json(report))
    tell_report(lib, report, listed=True)
    if report.unfinished:
        note(report.unfinished)
    return 3 if report.failures or report.problems or report.unfinished else 0


def _watch(lib: Library, progress: Progress, as_json: bool, embed: bool) -> None:
    from pincite.cli.progress import Bars
    from pincite.indexing.report import Report
    from pincite.indexing.watch import watch

    listed = True

    def told(outcome: Report | PinciteError) -> None:
        nonlocal listed
        if not isinstance(outcome, Report):
            note(str(outcome))
            return
        if as_json:
            print_json(_as_json(outcome))
        if listed or outcome.changed or outcome.removed or outcome.extracted or outcome.notes:
            tell_report(lib, outcome, listed=listed)
        if outcome.unfinished:
            note(outcome.unfinished)
        listed = False

    # bars of many runs would scroll away what is said
    form = Progress.PLAIN if progress is Progress.AUTO else progress
    with Bars(form.value) as bars:
        note(f"watching {lib.path}; Ctrl-C ends it")
        watch(lib, bars, told, embed=embed)


def tell_report(lib: Library, report: Report, listed: bool = False) -> None:
    """The outcome in a few lines on standard error."""
    for line in report.notes:
        note(line)
    totals = report.totals
    waiting = f" ({totals.waiting:,} still waiting)" if totals.waiting else ""
    files = f"{counted(totals.files, 'file')}: {totals.indexed:,} indexed, {totals.skipped:,} skipped{waiting}, {totals.failed:,} failed"
    note(f"{counted(totals.items, 'item')}; {files}")
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

    found = asdict(report)
    del found["unread"], found["workers_memory"]
    return {"schema": 1, **found}
