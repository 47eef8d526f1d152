"""Every kind of plugin is swapped by configuration alone, and the answer shows it (specs/01-contract.md, specs/02-configuration.md).

The plugins are those of `tests/swapped.py`, registered by a ``pincite_local.py``; each test changes one line of ``pincite.toml``.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pincite
import swapped

WORKS = {
    "kelp.md": "# Kelp\n\nThe holdfast grips the rock. Urchins graze nearby.\n\nStorms thin the canopy over the rock.",
    "bells.md": "# Bells of the old town hall\n\nThe bells of the tower ring at noon. The rock of the tower is older than the town and its hall.",
}
KELP, BELLS = "Kelp", "Bells of the old town hall"
PLAIN = {
    "embedder": '[embedder]\nuse = "hashes"',
    "picker": '[picker]\nuse = "lexical"',
    "index": "[index]\nfloor = 0\nworkers = 1",
    "margin": "margin = 0",
}


@pytest.fixture
def shelf(tmp_path):
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name, text in WORKS.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def opened(shelf, tmp_path):
    """A library with some sections of the configuration replaced; indexed."""
    made = []

    def open_with(library=shelf, **sections):
        library = pincite.open(library, config=configured(tmp_path / f"config-{len(made)}", **sections))
        library.folder = tmp_path / f"index-{len(made)}"
        made.append(library)
        library.index()
        return library

    yield open_with
    for library in made:
        library.close()


def configured(folder: Path, **sections: str) -> Path:
    folder.mkdir()
    source = Path(swapped.__file__).read_text("utf-8")
    (folder / "pincite_local.py").write_text(source, "utf-8")
    parts = PLAIN | sections
    lines = [parts.pop("margin"), *parts.values()]
    (folder / "pincite.toml").write_text("\n".join(lines), "utf-8")
    return folder / "pincite.toml"


def titles(results):
    return [hit.item.title for hit in results]


def bodies(library):
    return list(library.store.texts(library.store.all_rows()).values())


def test_source(opened, tmp_path):
    cards = tmp_path / "things.cards"
    cards.write_text("Kelp | The holdfast grips the rock.\nBells | They ring at noon.", "utf-8")
    library = opened("mine", libraries=f'[libraries.mine]\npath = "{cards.as_posix()}"\nsource = "cards"')
    assert titles(library.search("holdfast", engine="lexical")) == ["Kelp"]


def test_extractor(opened, shelf):
    (shelf / "plots.csv").write_text("plot,urchins\nseven,forty", "utf-8")
    library = opened(source='[source.folder]\nsuffixes = [".md", ".csv"]')
    assert [entry.extractor for entry in library.store.files() if entry.path.endswith(".csv")] == ["tables"]
    assert [hit.item.id for hit in library.search("seven forty", engine="lexical")] == ["plots.csv"]


def test_extractor_that_is_blocked(opened):
    library = opened(plugins='[plugins]\nblock = ["extractor.markdown"]')
    assert [entry.verdict for entry in library.store.files()] == ["unsupported"] * len(WORKS)


def test_chunker(opened):
    assert [text for text in bodies(opened()) if "canopy" in text and "holdfast" in text]
    assert "Storms thin the canopy over the rock." in bodies(opened(chunker='[chunker]\nuse = "blocks"'))


def test_embedder(opened):
    library = opened()
    have, want = library.store.coverage(swapped.Hashes.facts.id)
    assert have == want > 0
    assert titles(library.search("urchins graze nearby", engine="semantic"))[:1] == [KELP]


def test_store(opened):
    library = opened(store='[store]\nuse = "nested"')
    assert (library.folder / "nested" / "index.db").is_file()
    assert not (library.folder / "index.db").exists()
    assert titles(library.search("holdfast", engine="lexical")) == [KELP]


def test_ranker(opened):
    library = opened(engines='[engines]\nshort = ["brevity"]')
    assert titles(library.search("the bells ring at noon", engine="short")) == [KELP, BELLS]
    assert titles(library.search("the bells ring at noon", engine="lexical"))[0] == BELLS


def test_fuser(opened):
    """The fuser `youngest` turns any order that is not its own."""
    for query in ("bells of the tower on a rock", "holdfast and canopy over the rock"):
        library = opened(fuser='[fuser]\nuse = "youngest"')
        found = [library.store.find_item(hit.item.id) for hit in library.search(query)]
        assert len(found) == 2
        assert found == sorted(found, reverse=True)
    usual = [
        titles(opened().search(query))[0]
        for query in ("bells of the tower on a rock", "holdfast and canopy over the rock")
    ]
    assert usual == [BELLS, KELP]


def test_reranker(opened):
    query = "holdfast canopy bells"
    assert titles(opened().search(query, engine="lexical"))[0] == KELP
    reranked = opened(reranker='[reranker]\nuse = "longest"').search(query, engine="lexical")
    assert titles(reranked)[0] == BELLS


def test_picker(opened):
    def picked(**sections):
        (hit,) = opened(**sections).search("urchins", engine="lexical")
        return hit.passages[0]

    assert "Urchins graze nearby." in str(picked())
    assert picked() != picked(picker='[picker]\nuse = "last"')


def test_provider(opened, shelf):
    (shelf / "tides.txt").write_text("The moon pulls the water.\n\nThe harbour empties twice a day.", "utf-8")
    vectors = np.eye(2, swapped.WIDTH, dtype=np.float32)
    np.save(shelf / "tides.npy", vectors)
    store = opened(chunker='[chunker]\nuse = "blocks"').store
    rows = [store.find_chunk(f"tides.txt#{number}") for number in (0, 1)]
    _, kept = store.vectors(swapped.Hashes.facts.id, np.array(rows))
    assert np.array_equal(kept.astype(np.float32), vectors)


def test_command(tmp_path):
    environment = os.environ | {"PINCITE_CONFIG": str(configured(tmp_path / "config"))}
    done = subprocess.run(
        [sys.executable, "-m", "pincite.cli.main", "greet"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "good morning\n"), done.stderr
