"""The sentence that says most of the query's words (specs/19-sentences.md)."""

from __future__ import annotations

from typing import Any

from pincite.spec import Context, hookimpl


def make(settings: Any, context: Context) -> Any:
    """The picker."""
    from pincite_plugins.pickers.lexical.picker import LexicalPicker

    return LexicalPicker()


@hookimpl
def register_pickers(register: Any) -> None:
    """Registers `lexical`."""
    register("lexical", make)
