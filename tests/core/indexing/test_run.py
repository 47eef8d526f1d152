"""A run, its change detection and its ledger (specs/21-indexing.md)."""

import os
import shutil
from pathlib import Path

import pytest

from indexes import configure, differences, opened, said
from pincite.errors import Locked, PinciteError
from pincite.indexing.lock import writer_lock
from pincite.indexing.pause import pause, resume
from pincite.indexing.rebuild import throw_away

QUERIES = ("urchins graze", "bells at noon", "moon and water", "salt")


@pytest.fixture
def config(tmp_path):
    return configure(tmp_path / "config")


@pytest.fixture
def shelf(tmp_path):
    folder = tmp_path / "shelf"
    folder.mkdir()
    write(
        folder / "kelp.md",
        "# Kelp forests\n\nUrchins graze where the otters are gone, and the holdfast grips the rock.",
    )
    write(folder / "bells.txt", "The bells of the village ring at noon, and once more when the boats come home.")
    write(folder / "deep" / "tides.md", "# Tides\n\nThe moon pulls the water, and the harbour empties twice a day.")
    return folder


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def index(shelf, config, **options):
    with opened(shelf, config) as library:
        return library.index(**options)


def fresh(shelf, config, tmp_path):
    """What an index says that is made of the library as it is now."""
    with opened(shelf, config) as library:
        library.folder = tmp_path / f"fresh-{len(list(tmp_path.iterdir()))}"
        library.index()
        return said(library, QUERIES)


def differs(shelf, config, tmp_path):
    with opened(shelf, config) as library:
        return differences(said(library, QUERIES), fresh(shelf, config, tmp_path))


def test_a_second_run_has_nothing_to_do(shelf, config):
    first = index(shelf, config)
    assert (first.items, first.changed, first.extracted, first.embedded > 0) == (3, 3, 3, True)
    second = index(shelf, config)
    assert (second.changed, second.removed, second.extracted, second.unchanged, second.embedded) == (0, 0, 0, 3, 0)
    assert (second.failures, second.problems, second.unfinished) == ([], [], "")


def test_counts_add_up(shelf, config):
    write(shelf / "empty.md", "")
    (shelf / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing after it")
    report = index(shelf, config)
    totals = report.totals
    assert totals.indexed + totals.skipped + totals.failed == totals.files == 5
    assert totals.indexed == 3
    assert {os.path.basename(path) for path, _ in report.failures + report.skips} == {"empty.md", "broken.pdf"}
    with opened(shelf, config) as library:
        found = library.status()
    assert (len(found["failed"]), len(found["skipped"])) == (totals.failed, totals.skipped)
    assert sum(found["verdicts"].values()) == 2


def test_what_the_library_could_not_give_is_in_the_status_until_it_is_mended(shelf, config):
    (shelf / "lost.md").symlink_to(shelf / "nowhere.md")
    for _ in range(2):
        assert index(shelf, config).problems
        with opened(shelf, config) as library:
            (problem,) = library.status()["problems"]
            assert problem["where"].endswith("lost.md")
            assert "cannot be looked at" in problem["reason"]
    (shelf / "lost.md").unlink()
    index(shelf, config)
    with opened(shelf, config) as library:
        assert library.status()["problems"] == []


def test_a_local_file_that_does_not_load_is_told_and_the_rest_is_done(shelf, config):
    (config.parent / "pincite_local.py").write_text("def broken(")
    with opened(shelf, config, embedder__use="onnx") as library:
        report = library.index(embed=False)
        assert report.totals.indexed == 3
        assert "pincite_local could not be loaded: SyntaxError" in report.notes[0]
    (shelf / "cards.shoebox").touch()
    with (
        opened(shelf / "cards.shoebox", config, embedder__use="onnx") as library,
        pytest.raises(PinciteError, match="not a library that pincite can read.*; pincite_local could not be loaded"),
    ):
        library.source()


def test_an_edited_file_is_read_again_and_no_other(shelf, config, tmp_path):
    index(shelf, config)
    write(shelf / "kelp.md", "# Kelp forests\n\nStorms thin the canopy now, and light reaches the floor of the sea.")
    report = index(shelf, config)
    assert (report.changed, report.extracted, report.unchanged) == (1, 1, 2)
    assert not differs(shelf, config, tmp_path)


def test_a_touched_file_is_not_read_again(shelf, config):
    index(shelf, config)
    os.utime(shelf / "bells.txt", (1, 1))
    report = index(shelf, config)
    assert report.extracted == 0


def test_a_moved_file_is_not_extracted_again(shelf, config, tmp_path, monkeypatch):
    index(shelf, config)
    shutil.move(shelf / "kelp.md", shelf / "deep" / "kelp.md")
    from pincite_plugins.stores.sqlite.store import SqliteStore

    found = []
    stored = SqliteStore.stored_pack
    monkeypatch.setattr(SqliteStore, "stored_pack", lambda self, entry: found.append(stored(self, entry)) or found[-1])
    report = index(shelf, config)
    # a pack of the same content, extractor and settings is there, and its texts have their vectors
    assert (report.removed, report.embedded, [pack is not None for pack in found]) == (1, 0, [True])
    assert not differs(shelf, config, tmp_path)


def test_a_replaced_file_of_the_same_size_is_seen(shelf, config, tmp_path):
    path = write(shelf / "salt.txt", "Salt is won from the sea in shallow pans of clay.")
    index(shelf, config)
    write(path, "Silk is spun from the cocoon in hot baths of lye.")
    os.utime(path, ns=(5, 5))
    assert index(shelf, config).extracted == 1
    assert not differs(shelf, config, tmp_path)


def test_a_deleted_file_leaves_nothing(shelf, config, tmp_path):
    index(shelf, config)
    (shelf / "kelp.md").unlink()
    report = index(shelf, config)
    assert report.removed == 1
    assert not differs(shelf, config, tmp_path)
    with opened(shelf, config) as library:
        assert len(list((library.folder / "packs").glob("*/*"))) == 2  # its pack is swept


def test_a_lasting_failure_is_parked_until_the_file_changes(shelf, config):
    broken = shelf / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing after it")
    assert len(index(shelf, config).failures) == 1
    with opened(shelf, config) as library:
        entry = next(one for one in library.store.files() if one.path == str(broken))
        assert (entry.attempts, entry.passing) == (1, False)
        library.index()
        assert next(one for one in library.store.files() if one.path == str(broken)).attempts == 1
        assert library.index(retry=True).failures  # asked for: tried, and failed again
        assert library.status()["failed"][0]["parked"] is True
    write(shelf / "broken.txt", broken.read_text())
    broken.unlink()
    assert index(shelf, config).failures == []


SLOW = """
from pincite.spec import hookimpl
from pincite.errors import Unreadable
class Busy:
    name, version = "busy", 1
    def extract(self, path, password=None):
        raise Unreadable("busy", "is held by another program", passing=True)
@hookimpl
def register_extractors(register):
    register("busy", lambda settings, context: Busy(), suffixes=(".md",), version=1)
"""


def test_a_passing_failure_is_tried_three_times_and_then_parked(shelf, config):
    with open(config.parent / "pincite_local.py", "a") as file:
        file.write(SLOW)
    config.write_text(config.read_text() + '[plugins]\nblock = ["extractor.markdown"]\n')
    attempts = []
    for _ in range(5):
        index(shelf, config)
        with opened(shelf, config) as library:
            attempts.append({entry.attempts for entry in library.store.files() if entry.path.endswith(".md")})
    assert attempts == [{1}, {2}, {3}, {3}, {3}]
    index(shelf, config, retry=True)
    with opened(shelf, config) as library:
        assert {entry.attempts for entry in library.store.files() if entry.path.endswith(".md")} == {1}


def test_other_settings_of_the_chunker_cut_again_without_reading_again(shelf, config, tmp_path):
    index(shelf, config)
    for pack in (packs := list((tmp_path / "pincite-home" / "indexes").glob("*/packs/*/*"))):
        os.utime(pack, (1, 1))
    config.write_text(config.read_text() + '[chunker]\nuse = "structural"\nminimum = 5\n')
    report = index(shelf, config)
    assert report.extracted == 3
    assert all(pack.stat().st_mtime == 1 for pack in packs)
    assert not differs(shelf, config, tmp_path)


def test_another_library_is_refused(shelf, config, tmp_path):
    index(shelf, config)
    other = write(tmp_path / "other" / "x.txt", "Something else entirely stands here.").parent
    with opened(shelf, config) as library, opened(other, config) as stranger:
        stranger.folder = library.folder
        with pytest.raises(PinciteError, match="made of another library"):
            stranger.index()


def test_a_second_run_says_who_holds_the_index(shelf, config):
    held = f"process {os.getpid()}"
    with opened(shelf, config) as library, writer_lock(library.folder), pytest.raises(Locked, match=held):
        library.index()


def test_a_pause_outlasts_restarts_and_ends_with_resume(shelf, config):
    with opened(shelf, config) as library:
        pause(library.folder)
        folder = library.folder
    report = index(shelf, config)
    assert "paused since" in report.unfinished
    assert report.items == 0
    assert resume(folder) is True
    assert resume(folder) is False
    assert index(shelf, config).unfinished == ""


def test_an_index_is_not_thrown_away_while_none_would_be_made_anew(shelf, config):
    index(shelf, config)
    with opened(shelf, config) as library:
        pause(library.folder)
        with pytest.raises(PinciteError, match="the index was kept; `pincite resume`"):
            throw_away(library)
    with opened(shelf, config) as library:
        assert library.store.totals().items == 3


def test_a_run_that_is_paused_keeps_what_it_has_and_goes_on_later(shelf, config, tmp_path):
    with opened(shelf, config) as library:

        def tell(step, done, total, detail):
            if step == "extract" and done == 1:
                pause(library.folder)

        monitored = library.index(tell)
        if not monitored.unfinished:  # the pause was seen after the last unit
            pytest.skip("finished before it was paused")
        assert "paused" in monitored.unfinished
        resume(library.folder)
        assert library.index().unfinished == ""
    assert not differs(shelf, config, tmp_path)


def test_a_library_that_vanishes_loses_nothing(shelf, config):
    index(shelf, config)
    with opened(shelf, config) as library:
        hidden = shelf.with_name("away")
        os.rename(shelf, hidden)
        with pytest.raises(PinciteError):
            library.index()
        shelf.mkdir()  # the mount point of a drive that is away
        with pytest.raises(PinciteError, match=str(shelf)):
            library.index()
        shelf.rmdir()
        os.rename(hidden, shelf)
        assert (library.index().changed, library.store.totals().items) == (0, 3)


def test_a_file_that_changes_while_it_is_read_is_read_again(shelf, config, tmp_path, monkeypatch):
    from pincite.indexing import extract

    changed = []

    def same(entry, real=extract._same_still):
        if entry.path.endswith("kelp.md") and not changed:
            changed.append(
                write(Path(entry.path), "# Kelp\n\nNew words stand here since the reading began, and they count.")
            )
        return real(entry)

    monkeypatch.setattr(extract, "_same_still", same)
    index(shelf, config)
    assert changed
    assert not differs(shelf, config, tmp_path)


@pytest.mark.parametrize("step", ["extract", "embed"])
def test_what_comes_during_a_run_is_indexed_by_it(step, shelf, config, tmp_path):
    at, seen = [], []

    def kicked():
        if at[-1:] == [step] and not seen:
            seen.append(write(shelf / "note.md", "# A note\n\nSalt is won from the sea in shallow pans of clay."))
            return True
        return False

    with opened(shelf, config) as library:
        report = library.index(lambda step, *told: at.append(step), kicked=kicked)
    assert seen
    assert not report.again
    assert not differs(shelf, config, tmp_path)


def test_a_library_that_keeps_changing_is_to_be_looked_at_again(shelf, config):
    with opened(shelf, config) as library:
        assert library.index(kicked=lambda: True).again
        assert not library.index().again


def test_passages_are_told_their_language_and_a_run_says_what_memory_it_took(shelf, config):
    write(
        shelf / "glocken.md",
        "# Glocken\n\nDie Glocken des Dorfes läuten am Mittag, und noch einmal, wenn die Boote kommen.",
    )
    index(shelf, config)
    with opened(shelf, config) as library:
        found = library.status(diagnostics=True)
    run = found["diagnostics"]["run"]
    assert found["languages"]["de"] >= 1
    assert found["languages"]["en"] >= 3
    assert run["memory_peak"] > 2**20
    assert run["workers_memory_peak"] > 2**20 or os.name == "nt"
