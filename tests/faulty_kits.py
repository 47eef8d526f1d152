"""Runs the kits on `faulty_plugins`; not collected by itself: tests/core/testing/test_faulty.py runs it and reads what it says."""

from importlib.metadata import EntryPoint

from pincite.plugin.manager import Plugins
from pincite.testing import ChunkerKit, EmbedderKit, ExtractorKit, FuserKit, PickerKit, RankerKit, SourceKit

PLUGINS = Plugins(
    found=[
        EntryPoint("faulty", "faulty_plugins", "pincite"),
        EntryPoint("source.torn", "faulty_import", "pincite"),
        EntryPoint("twin", "faulty_twin", "pincite"),
        EntryPoint("store.sqlite", "pincite_plugins.stores.sqlite", "pincite"),
    ]
)


class Cards(SourceKit):
    plugins = PLUGINS
    seconds = 1

    def library(self, folder):
        path = folder / "cards.txt"
        path.write_text("amber\nbasalt\ncedar\ndelta\nember\n", "utf-8")
        return path


def kit(base, name, **members):
    return type(
        f"Test_{base.kind}_{name}", (base,), {"name": name, "plugins": PLUGINS, "__module__": __name__, **members}
    )


for _base, _names, _members in (
    (Cards, ("torn", "text-instead", "shuffled", "leaking", "sleeping"), {}),
    (ExtractorKit, ("skewed",), {"says": "The holdfast grips the rock.", "elsewhere": False}),
    (ChunkerKit, ("shifted",), {}),
    (EmbedderKit, ("nan", "wide", "deaf", "lying", "trigrams"), {}),
    (RankerKit, ("unordered", "cuts-first", "boasting", "babbling", "longest"), {"finds": False, "count": 20}),
    (FuserKit, ("greedy", "rrf-twice"), {}),
    (PickerKit, ("stuck",), {"seconds": 0.3}),
):
    for _name in _names:
        globals()[f"Test_{_base.kind}_{_name}"] = kit(_base, _name, **_members)


def _sample(self, folder):
    path = folder / "kelp.skewed"
    path.write_text("The holdfast grips the rock.\n\nUrchins graze.\n", "utf-8")
    return path


Test_extractor_skewed.sample = _sample  # noqa: F821  made above
