"""Source `zotero`: a Zotero data directory, read while Zotero runs and never written to (specs/16-sources.md)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.spec import Context, Register, hookimpl, setting

if TYPE_CHECKING:
    from pincite_plugins.sources.zotero.source import ZoteroSource

PINCITE_CONTRACT = 1
DATABASE = "zotero.sqlite"


@dataclass(frozen=True)
class ZoteroSettings:
    """Section ``[source.zotero]``."""

    base_directory: Path | None = setting(
        None,
        description="Zotero's Linked Attachment Base Directory: where attachments:… paths begin",
    )


def recognises(path: Path) -> float:
    """1 for a folder that holds zotero.sqlite, or that file itself."""
    return 1.0 if os.path.isfile(_database(path)) else 0.0


def open_zotero(settings: ZoteroSettings, context: Context) -> ZoteroSource:
    """The source for `context.library`. Raises `UsageError` where there is no Zotero database."""
    if context.library is None:
        raise UsageError(
            "source zotero: no library is given; give the Zotero data directory (the one with zotero.sqlite)"
        )
    database = _database(context.library)
    if not os.path.isfile(database):
        raise UsageError(
            f"{context.library}: no {DATABASE} here; give the data directory that Zotero names in "
            "Settings > Advanced > Files and Folders"
        )
    from pincite_plugins.sources.zotero.source import ZoteroSource

    base = settings.base_directory.expanduser() if settings.base_directory else None
    return ZoteroSource(database, base, context.note)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `zotero`."""
    register("zotero", open_zotero, settings=ZoteroSettings, recognises=recognises)


def _database(path: Path) -> Path:
    path = path.expanduser()
    return path if path.name == DATABASE else path / DATABASE
