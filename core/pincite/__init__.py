"""pincite: search your own library of papers, books and notes, down to the page.

::

    import pincite

    lib = pincite.open("~/Zotero")
    lib.index()
    for hit in lib.search("why do glaciers surge"):
        print(hit.item.title, [passage.page for passage in hit.passages])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.opening import open

__version__ = "0.1.0"
__all__ = ["Library", "__version__", "open"]


def __getattr__(name: str) -> Any:
    if name == "Library":
        from pincite.library import Library

        return Library
    if name == "open":
        from pincite.opening import open

        return open
    raise AttributeError(f"module 'pincite' has no attribute {name!r}")
