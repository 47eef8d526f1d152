"""Contract kits: for each kind of plugin a class to subclass in your tests, with the tests that every built-in plugin passes.

    from pincite.testing import FuserKit

    class TestMean(FuserKit):
        name = "mean"

That is all where nothing needs to be shown to the plugin; `SourceKit` wants a library to read, `ExtractorKit` a file. What each kit
asks for is in its docstring; what it tests in the names of its tests. Needs pytest (``pip install "pincite[test]"``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.testing.chunker import ChunkerKit
    from pincite.testing.embedder import EmbedderKit
    from pincite.testing.extractor import ExtractorKit
    from pincite.testing.fuser import FuserKit
    from pincite.testing.picker import PickerKit
    from pincite.testing.planner import PlannerKit
    from pincite.testing.provider import ProviderKit
    from pincite.testing.ranker import RankerKit
    from pincite.testing.reranker import RerankerKit
    from pincite.testing.source import SourceKit
    from pincite.testing.store import StoreKit

__all__ = [
    "ChunkerKit",
    "EmbedderKit",
    "ExtractorKit",
    "FuserKit",
    "PickerKit",
    "PlannerKit",
    "ProviderKit",
    "RankerKit",
    "RerankerKit",
    "SourceKit",
    "StoreKit",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"pincite.testing has no '{name}'; it has {', '.join(__all__)}")
    try:
        import_module("pytest")
    except ModuleNotFoundError:
        raise ImportError(
            "the contract kits need pytest, which is not installed; run: pip install 'pincite[test]'"
        ) from None
    return getattr(import_module(f"pincite.testing.{name.removesuffix('Kit').lower()}"), name)
