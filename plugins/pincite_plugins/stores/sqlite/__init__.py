"""The built-in store: one SQLite database, and the packs as files beside it (specs/03-store.md)."""

from __future__ import annotations

from typing import Any

from pincite.spec import Context, hookimpl


def make(settings: Any, context: Context) -> Any:
    """Opens, or makes, the store of `context.folder`."""
    from pincite_plugins.stores.sqlite.store import SqliteStore

    if context.folder is None:
        raise ValueError("a store needs a folder")
    return SqliteStore(context.folder, note=context.note)


@hookimpl
def register_stores(register: Any) -> None:
    """Registers `sqlite`."""
    register("sqlite", make)
