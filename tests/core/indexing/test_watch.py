"""Watching a library (specs/21-indexing.md)."""

import threading
import time

from indexes import configure, opened
from pincite.indexing.pause import pause, resume
from pincite.indexing.watch import watch
from pincite.indexing.watching import WatchedPlaces, Watcher


def until(true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "did not come about"
        time.sleep(0.05)


def test_a_new_file_is_indexed_and_a_pause_is_kept(tmp_path):
    config = configure(tmp_path / "config")
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "a.txt").write_text("Urchins graze where the otters are gone.")
    reports, end = [], threading.Event()

    def work():
        with opened(shelf, config) as library:
            watch(library, lambda *told: None, reports.append, end.is_set, embed=False)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        until(lambda: reports)
        assert reports[0].items == 1
        time.sleep(1.0)  # the watch is up a moment after the first run
        (shelf / "b.txt").write_text("Bells ring at noon over the roofs of the village.")
        until(lambda: any(report.items == 2 for report in reports))
        with opened(shelf, config) as library:
            pause(library.folder)
            count = len(reports)
            (shelf / "c.txt").write_text("Salt is won from sea water in shallow pans.")
            time.sleep(1.5)
            assert len(reports) == count
            assert library.store.totals().items == 2
            resume(library.folder)
        until(lambda: any(report.items == 3 for report in reports))
    finally:
        end.set()
        thread.join(timeout=60)


def test_a_change_counts_once_it_has_settled_and_never_for_the_index_itself(tmp_path):
    (tmp_path / "shelf" / "index").mkdir(parents=True)
    watcher = Watcher(WatchedPlaces((tmp_path / "shelf",), (), (), tmp_path / "shelf" / "index"))
    try:
        time.sleep(1.0)
        (tmp_path / "shelf" / "index" / "index.db").write_text("x")
        time.sleep(1.0)
        assert not watcher.changing()
        (tmp_path / "shelf" / "a.txt").write_text("x")
        until(watcher.changing)
        assert not watcher.settled(3600.0)
        until(lambda: watcher.settled(0.2))
        assert not watcher.settled(0.0)
    finally:
        watcher.close()


def test_of_single_files_only_those_count(tmp_path):
    watcher = Watcher(WatchedPlaces((), (tmp_path / "z.sqlite", tmp_path / "z.sqlite-wal"), (), tmp_path / "elsewhere"))
    try:
        time.sleep(1.0)
        (tmp_path / "other.txt").write_text("x")
        time.sleep(1.0)
        assert not watcher.changing()
        (tmp_path / "z.sqlite-wal").write_text("x")
        until(watcher.changing)
    finally:
        watcher.close()


def test_an_edit_is_settled_at_once_and_a_file_that_is_being_written_later(tmp_path):
    watcher = Watcher(WatchedPlaces((), (), (), tmp_path / "index"))
    watcher._tell()
    edit = time.monotonic()
    until(lambda: watcher.settled(30.0), 10)
    assert time.monotonic() - edit < 10
    watcher._tell()
    time.sleep(0.6)  # as long as it lasts
    watcher._tell()
    assert not watcher.settled(30.0)
    time.sleep(0.2)
    assert not watcher.settled(30.0)
    assert watcher.settled(0.1)
    watcher.close()
