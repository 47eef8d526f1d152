"""``pincite ask``: type, and see the answer change."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pincite.cli.options import ConfigOption, EngineOption, LibraryOption, ModelOption, opened

if TYPE_CHECKING:
    from pincite.library import Library


def _ready(lib: Library) -> None:
    """Readers of files that are not indexed yet begin while the first question is typed."""
    if lib.store.totals().waiting and lib.config.settings.previews.seconds:
        lib.previews.ready()


def ask(
    library: LibraryOption = None,
    engine: EngineOption = None,
    model: ModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Search as you type; the arrow keys choose a passage, Enter opens it at its page."""
    from pincite.cli.ask_screen import AskApp
    from pincite.errors import UsageError

    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):  # the screen is drawn on the last
        raise UsageError("`pincite ask` needs a terminal; `pincite search` answers one question anywhere")
    # a library is used by one thread at a time: it is opened, asked and closed in this one
    with ThreadPoolExecutor(1, "ask") as worker:
        lib = worker.submit(opened, library, config, engine=engine, embedder__model=model).result()
        try:
            if not worker.submit(lambda: lib.indexed).result():
                raise UsageError(f"{lib.path} is not indexed yet; run `pincite index` first")
            worker.submit(_ready, lib).result()
            AskApp(lib, worker, config or "").run()
        finally:
            worker.submit(lib.close).result()
