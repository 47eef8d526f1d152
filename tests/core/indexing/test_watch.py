"""Watching a library (specs/21-indexing.md)."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from indexes import configure, opened
from pincite.indexing import watch as loop
from pincite.indexing.lock import writer_lock
from pincite.indexing.pause import pause, resume
from pincite.indexing.report import Report
from pincite.indexing.watching import WatchedPlaces, Watcher


def until(true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "did not come about"
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def _usual_priority(monkeypatch):
    """The process of the tests goes on at its own."""
    monkeypatch.setattr(loop, "low_priority", lambda: None)


def test_a_new_file_is_indexed_and_a_pause_is_kept(tmp_path):
    config = configure(tmp_path / "config")
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "a.txt").write_text("Urchins graze where the otters are gone.")
    reports, end = [], threading.Event()

    def work():
        with opened(shelf, config) as library:
            loop.watch(library, lambda *told: None, reports.append, end.is_set, embed=False)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        until(lambda: reports)
        assert reports[0].items == 1
        (shelf / "b.txt").write_text("Bells ring at noon over the roofs of the village.")
        until(lambda: any(report.items == 2 for report in reports))
        with opened(shelf, config) as library:
            pause(library.folder)
            time.sleep(0.5)  # a run that was about to begin has begun
            with writer_lock(library.folder, patience=60):
                (shelf / "c.txt").write_text("Salt is won from sea water in shallow pans.")
            time.sleep(1.5)
            assert library.store.totals().items == 2
            resume(library.folder)
        until(lambda: any(report.items == 3 for report in reports))
    finally:
        end.set()
        thread.join(timeout=60)


# ------------------------------------------------------------------------------------------------ the loop


class Deaf(Watcher):
    """A watcher that is told of nothing, and listens from the `after`-th time on that it is asked."""

    def __init__(self, after=1):
        super().__init__(WatchedPlaces((), (), (), Path("/nowhere")))
        self.asked, self.after = 0, after

    def listening(self, seconds=0.0):
        self.asked += 1
        return self.asked >= self.after


def runs(monkeypatch, tmp_path, watcher, wanted, *reports):
    """How many runs are made, up to `wanted`; the first ones give `reports`."""
    given, made, end = list(reports), [], time.monotonic() + 30

    def index(progress, **options):
        made.append(watcher.asked)
        return given.pop(0) if given else Report()

    settings = SimpleNamespace(index=SimpleNamespace(settle=0.3))
    library = SimpleNamespace(folder=tmp_path, config=SimpleNamespace(settings=settings), index=index)
    monkeypatch.setattr(loop, "_watcher", lambda library: watcher)
    monkeypatch.setattr(loop, "_moved", lambda library, watcher: watcher)
    loop.watch(library, lambda *told: None, lambda told: None, lambda: len(made) == wanted or time.monotonic() > end)
    return made


def test_what_changed_before_it_listens_is_looked_at_once_it_does(monkeypatch, tmp_path):
    assert runs(monkeypatch, tmp_path, Deaf(after=4), 2) == [2, 4]


def test_a_run_that_was_paused_is_gone_on_with_though_the_pause_is_over_already(monkeypatch, tmp_path):
    assert len(runs(monkeypatch, tmp_path, Deaf(), 2, Report(unfinished="paused", again=True))) == 2


def test_a_change_that_the_watcher_before_was_told_of_is_not_lost(tmp_path):
    source = SimpleNamespace(watched=lambda: [tmp_path], close=lambda: None)
    library = SimpleNamespace(source=lambda: source, store=SimpleNamespace(files=list), folder=tmp_path / "index")
    before = Watcher(WatchedPlaces((), (), (), tmp_path / "index"))
    before.tell()
    after = loop._moved(library, before)
    try:
        assert after is not before
        assert after.changing()
    finally:
        after.close()


# ------------------------------------------------------------------------------------------------ the watcher


def test_changes_count_but_those_of_the_index_itself(tmp_path):
    (tmp_path / "shelf" / "index").mkdir(parents=True)
    watcher = Watcher(WatchedPlaces((tmp_path / "shelf",), (), (), tmp_path / "shelf" / "index"))
    try:
        assert watcher.listening(60)
        (tmp_path / "shelf" / "index" / "index.db").write_text("x")
        time.sleep(1.0)
        assert not watcher.changing()
        (tmp_path / "shelf" / "a.txt").write_text("x")
        until(watcher.changing)
        until(lambda: watcher.settled(0.2))
    finally:
        watcher.close()


def test_of_single_files_only_those_count(tmp_path):
    watcher = Watcher(WatchedPlaces((), (tmp_path / "z.sqlite", tmp_path / "z.sqlite-wal"), (), tmp_path / "elsewhere"))
    try:
        assert watcher.listening(60)
        (tmp_path / "other.txt").write_text("x")
        time.sleep(1.0)
        assert not watcher.changing()
        (tmp_path / "z.sqlite-wal").write_text("x")
        until(watcher.changing)
    finally:
        watcher.close()


def test_an_edit_is_settled_at_once_and_a_file_that_is_being_written_later(tmp_path):
    now = [100.0]
    watcher = Watcher(WatchedPlaces((), (), (), tmp_path / "index"), lambda: now[0])
    watcher.tell()
    assert not watcher.settled(30.0)
    now[0] += 0.11
    assert watcher.settled(30.0)
    assert not watcher.settled(0.0)
    watcher.tell()
    now[0] += 0.6  # as long as it lasts
    watcher.tell()
    now[0] += 0.5
    assert not watcher.settled(30.0)
    assert watcher.settled(0.4)
