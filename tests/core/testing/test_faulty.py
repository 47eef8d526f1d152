"""Faulty plugins are caught by their kits, and named where they are used; the rest goes on (specs/01-contract.md, "In use")."""

import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from distributions import run
from pincite.config.load import load
from pincite.errors import Cancelled, DuplicateName, PinciteError, PluginError
from pincite.opening import open_with
from pincite.plugin.manager import Plugins
from pincite.plugin.watch import WATCHDOG

TESTS = Path(__file__).parents[2]

CAUGHT = {
    "source torn": "source.torn: could not be loaded: RuntimeError: out of paper",
    "source text-instead": "source.text-instead: its factory gave a str, which has no records()",
    "source shuffled": "source.shuffled: does not yield items in the order of their ids",
    "source leaking": "source.leaking: leaves",
    "source sleeping": "source.sleeping: has given no sign of life for 1 s",
    "extractor skewed": "extractor.skewed: gives a pack in which block",
    "chunker shifted": "chunker.shifted: loses",
    "embedder nan": "embedder.nan: gives a vector that is not finite",
    "embedder wide": "embedder.wide: gives an array of shape (10, 33)",
    "embedder deaf": "embedder.deaf: must raise Cancelled when it is told to stop",
    "embedder lying": "embedder.lying: counts [1, 1, 1, 1] tokens in 3, 30, 300 and 900 words",
    "ranker unordered": "out of order",
    "ranker cuts-first": "ranker.cuts-first: cuts before it filters",
    "ranker boasting": "ranker.boasting: is up to date and says 1000000 rows",
    "ranker babbling": "ranker.babbling: names terms of a passage that there is not",
    "fuser greedy": "fuser.greedy: changes the lists that it is given",
    "fuser rrf-twice": "fuser 'rrf-twice' is registered by several plugins (faulty, twin)",
    "picker stuck": "picker.stuck: has given no sign of life for 0.3 s",
}
SOUND = ("ranker longest", "embedder trigrams")


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """Kind and name → what its kit found wrong."""
    folder = tmp_path_factory.mktemp("faulty")
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "--import-mode=importlib",
        f"--junitxml={folder / 'report.xml'}",
        "--rootdir",
        str(folder),
    ]
    # tests that are many and alike say nothing more about these
    options += ["-k", "not (exceeds_the_window or any_text or any_query or cut_short)"]
    kits = folder / "test_kits.py"
    kits.write_text((TESTS / "faulty_kits.py").read_text("utf-8"), "utf-8")
    run("-m", "pytest", *options, str(kits), site=TESTS, cwd=folder, home=folder / "home", timeout=400)
    found = {}
    for case in ElementTree.parse(folder / "report.xml").iter("testcase"):
        plugin = case.get("classname").rpartition("Test_")[2].replace("_", " ", 1)
        wrong = [fault.get("message") or "" for tag in ("failure", "error") for fault in case.findall(tag)]
        found.setdefault(plugin, []).extend(wrong)
    return found


@pytest.mark.parametrize("plugin", list(CAUGHT))
def test_the_kit_catches_it_and_names_it(faults, plugin):
    assert plugin in faults
    assert any(CAUGHT[plugin] in fault for fault in faults[plugin]), faults[plugin][:5]


@pytest.mark.parametrize("plugin", SOUND)
def test_the_same_plugin_without_the_fault_passes(faults, plugin):
    assert faults[plugin] == []


# ------------------------------------------------------------------------------------------------ in use


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Opens the library `papers` with a configuration and the faulty plugins beside the built-in ones."""
    monkeypatch.syspath_prepend(TESTS)
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "kelp.md").write_text("# Kelp\n\nThe holdfast grips the rock while urchins graze in the second plot.")
    (papers / "bells.md").write_text("# Bells\n\nThe bell hangs from a beam of iron above the market square.")
    made = []

    def open_it(text="", path=papers, more=()):
        configuration = tmp_path / f"pincite-{len(made)}.toml"
        configuration.write_text('embedder.use = "trigrams"\n' + text if "embedder" not in text else text)
        (tmp_path / "pincite_local.py").write_text("from faulty_plugins import *\n")
        sys.modules.pop("pincite_local", None)
        config = load(configuration)
        plugins = Plugins(found=[*entry_points(group="pincite"), *more], local=config.local_plugin)
        WATCHDOG.limit = config.settings.plugins.timeout
        library = open_with(config, str(path), plugins=plugins)
        made.append(library)
        return library

    yield open_it
    for library in made:
        library.close()


@pytest.fixture
def indexed(opened):
    """The same, indexed by sound plugins."""
    with opened() as library:
        assert library.index(embed=True).problems == []
    return opened


def answers(library):
    """Whether the library still answers."""
    return [hit.item.title for hit in library.search("holdfast rock", engine="lexical")] == ["Kelp"]


def told_by(library):
    """What an indexing run says that goes wrong."""
    try:
        report = library.index()
    except PinciteError as error:
        return [str(error)]
    return [str(entry) for entry in (*report.problems, *report.failures, *report.notes, report.unfinished)]


def test_one_that_raises_at_import_is_named_and_the_rest_works(indexed):
    library = indexed(more=[EntryPoint("source.torn", "faulty_import", "pincite")])
    assert answers(library)
    with pytest.raises(PluginError, match="source.torn: could not be loaded: RuntimeError: out of paper"):
        library.plugins.find("source", "torn")


def test_one_of_a_wrong_type_is_named(opened, tmp_path):
    library = opened(f'[libraries.odd]\npath = "{tmp_path / "papers"}"\nsource = "text-instead"\n', path="odd")
    with pytest.raises(PluginError, match=r"source.text-instead\): its factory gave a str, which has no records\(\)"):
        library.index()


def test_two_of_one_name_are_named_when_it_is_asked_for_and_not_before(indexed):
    twin = [EntryPoint("twin", "faulty_twin", "pincite")]
    assert answers(indexed(more=twin))
    with pytest.raises(
        DuplicateName, match=r"fuser 'rrf-twice' is registered by several plugins \(pincite_local, twin\)"
    ):
        indexed('fuser.use = "rrf-twice"\n', more=twin).search("holdfast")


def test_a_ranker_without_order_is_named(indexed):
    library = indexed('engines.odd = ["unordered"]\n')
    tries = (library.search("holdfast", engine="odd") for _ in range(50))  # by chance it may be in order
    with pytest.raises(PluginError, match=r"ranker.unordered\): rank\(\) gave row \d+ out of order"):
        list(tries)
    assert answers(library)


def test_a_ranker_that_tells_terms_of_others_is_named(indexed):
    library = indexed('engines.odd = ["babbling"]\n')
    with pytest.raises(PluginError, match=r"ranker.babbling\): met\(\) told of rows that it was not asked about"):
        library.search("holdfast", engine="odd")
    assert answers(library)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nan", r"embedder.nan\): embed\(\) gave a vector that is not finite"),
        ("wide", r"embedder.wide\): embed\(\) gave an array of shape \(\d+, 33\)"),
    ],
)
def test_wrong_vectors_are_named_and_none_is_kept(opened, name, said):
    library = opened(f'embedder.use = "{name}"\n')
    told = told_by(library)
    assert any(re.search(said, line) for line in told), told
    assert library.store.coverage(library.embedder.facts.id)[0] == 0
    assert answers(library)


def test_wrong_counts_are_named(opened):
    library = opened('embedder.use = "miscounting"\n')
    with pytest.raises(PluginError, match=r"embedder.miscounting\): count\(\) gave"):
        library.embedder.count(["one", "two"])


def test_one_that_blocks_is_named_and_ended(indexed):
    library = indexed('picker.use = "stuck"\nplugins.timeout = 1\n')
    started = time.monotonic()
    with pytest.raises(PluginError, match=r"picker.stuck\): has given no sign of life for 1 s and was stopped"):
        library.search("holdfast", engine="lexical")
    assert time.monotonic() - started < 60
    assert answers(indexed())


def test_one_that_changes_what_it_is_given_is_named(indexed):
    library = indexed('fuser.use = "greedy"\n')
    with pytest.raises(PluginError, match=r"fuser.greedy\): AttributeError: 'tuple' object has no attribute 'clear'"):
        library.search("holdfast")


def test_one_that_swallows_a_cancellation_is_cancelled_all_the_same(indexed):
    library = indexed('engines.odd = ["longest"]\n')
    assert library.search("holdfast", engine="odd").hits
    with pytest.raises(Cancelled):
        library.search("another question", engine="odd", cancelled=lambda: True)


def test_wrong_offsets_of_a_chunker_are_named_and_the_index_goes_on(opened, tmp_path):
    said = told_by(opened('chunker.use = "shifted"\n'))
    assert any("chunker.shifted" in line and "no rising slice" in line for line in said), said
    assert opened().index().problems == []


def test_wrong_offsets_of_an_extractor_are_named_and_other_files_are_read(opened, tmp_path):
    (tmp_path / "papers" / "odd.skewed").write_text("The committee postponed the vote.")
    library = opened('source.folder.suffixes = [".md", ".skewed"]\n')
    report = library.index()
    assert any("extractor.skewed: gave a pack in which block 0" in reason for _, reason in report.failures), report
    assert report.totals.indexed == 2
    assert answers(library)
