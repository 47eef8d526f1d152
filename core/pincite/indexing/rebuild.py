"""Throwing an index away: it can always be made again from the library."""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

from pincite.errors import PinciteError, cannot_be
from pincite.indexing.lock import FILE, writer_lock
from pincite.indexing.pause import paused

if TYPE_CHECKING:
    from pincite.library import Library

PARTS = ("index.db*", "packs", "suspects")
"""What the built-in store keeps, databases set aside as damaged included; every other folder below is a ranker's."""


def throw_away(library: Library) -> None:
    """Removes everything in the index folder that pincite made, and nothing else. Raises `PinciteError` where indexing is paused, as
    nothing would be made anew."""
    folder = library.folder
    if not folder.is_dir():
        return
    if since := paused(folder):
        raise PinciteError(
            f"{library.path}: indexing is paused since {since}, so the index was kept; `pincite resume` lets it go on"
        )
    library.close()
    with writer_lock(folder):
        rankers = {name for names in library.config.settings.engines.values() for name in names}
        for pattern in (*PARTS, *sorted(rankers)):
            for path in sorted(folder.glob(pattern)):
                try:
                    if path.is_dir() and not path.is_symlink():
                        shutil.rmtree(path)
                    else:
                        path.unlink(missing_ok=True)
                except OSError as error:
                    raise cannot_be("removed", path, error) from None
    with contextlib.suppress(OSError):
        (folder / FILE).unlink()
