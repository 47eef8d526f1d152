"""``pincite pause``, ``pincite resume`` and ``pincite compact``."""

from __future__ import annotations

import sys

from pincite.cli.options import ConfigOption, JsonOption, LibraryOption, note, opened, print_json


def pause(library: LibraryOption = None, config: ConfigOption = None) -> None:
    """Pause indexing, across restarts, until `pincite resume`."""
    from pincite.indexing.pause import pause

    with opened(library, config) as lib:
        pause(lib.folder)
        note(f"{lib.path}: indexing is paused; `pincite resume` lets it go on")


def resume(library: LibraryOption = None, config: ConfigOption = None) -> None:
    """Let indexing go on: a watching pincite does at once, else at the next `pincite index`."""
    from pincite.indexing.pause import resume

    with opened(library, config) as lib:
        note(f"{lib.path}: indexing goes on" if resume(lib.folder) else f"{lib.path}: indexing was not paused")


def compact(library: LibraryOption = None, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Give back room that deleted items have left in the index."""
    from pincite.indexing.compact import compact

    with opened(library, config) as lib:
        before, after = compact(lib)
    if as_json:
        print_json({"schema": 1, "before": before, "after": after})
    else:
        sys.stdout.write(f"{before / 1e6:,.1f} MB before, {after / 1e6:,.1f} MB now\n")
