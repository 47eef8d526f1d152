"""Worker processes (specs/21-indexing.md)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import pincite
from indexes import configure, opened
from pincite.errors import Locked
from pincite.indexing.lock import writer_lock

SCRIPT = """
import pincite, sys
print("started", flush=True)
library = pincite.open(sys.argv[1])
library.index(embed=False)
print(library.status()["totals"]["indexed"])
"""


def test_a_script_without_a_main_guard_is_not_started_again_by_its_workers(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "tides.txt").write_text("The tide turns twice a day in most harbours.\n" * 3)
    script = tmp_path / "mine.py"
    script.write_text(SCRIPT)
    made = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "notes")],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PINCITE_HOME": str(tmp_path / "home")},
        check=True,
    )
    assert made.stdout.split() == ["started", "1"]


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
def test_forked_workers_find_what_was_loaded_before(tmp_path: Path) -> None:
    script = tmp_path / "ask.py"
    script.write_text(
        "from pincite.indexing.preloading import CONTEXT, let_go, preload\n"
        "import sys\n"
        "preload([])\n"
        "let_go()\n"
        "preload(['colorsys', 'no_such_module_at_all'])\n"
        "pool = CONTEXT().Pool(1)\n"
        "print(pool.apply(eval, (\"'colorsys' in __import__('sys').modules\",)))\n"
        "print(pool.apply(eval, (\"__import__('os').environ['OMP_NUM_THREADS']\",)))\n"
        "print('colorsys' in sys.modules)\n"
        "pool.terminate()\n"
    )
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True)
    assert made.stdout.split() == ["True", "1", "False"]


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
def test_the_folder_of_a_killed_runs_sockets_goes_with_the_next_run(tmp_path: Path, tmp_path_factory) -> None:
    script, folder = tmp_path / "die.py", tmp_path_factory.mktemp("w")  # the path of a socket has 107 bytes at most
    script.write_text(
        "import os, signal, sys\n"
        "from pincite.indexing.preloading import preload\n"
        "preload([])\n"
        "os.kill(os.getpid(), signal.SIGKILL if sys.argv[1:] else signal.SIGCONT)\n"
    )
    here = {**os.environ, "TMPDIR": str(folder)}
    subprocess.run([sys.executable, str(script), "killed"], env=here, timeout=60, check=False)
    (left,) = folder.glob("pincite-w*")
    subprocess.run([sys.executable, str(script)], env=here, timeout=60, check=True)
    assert not left.exists()
    assert not list(folder.glob("pincite-w*"))
    assert not list(folder.glob("pymp-*"))


def test_a_library_without_a_file_starts_no_worker(tmp_path: Path, monkeypatch) -> None:
    started = []
    monkeypatch.setattr("pincite.indexing.run.preload", lambda modules: started.append(list(modules)))
    works = tmp_path / "works.jsonl"
    works.write_text('{"id": "kelp", "title": "Kelp", "abstract": "Kelp grips the rock."}\n', "utf-8")
    with opened(works, configure(tmp_path / "config")) as library:
        assert library.index().totals.items == 1
    assert started == []
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "a.txt").write_text("Urchins graze at night.")
    (shelf / "b.txt").write_text("Otters are gone.")
    with opened(shelf, configure(tmp_path / "config")) as library:
        library.index()
    assert len(started) == 1


STRANGE = """
import re
from pincite.indexing.plain import plain_pack

class Strange:
    version = 1
    def extract(self, path, password=None):
        text = path.read_text()
        (path.parent.parent / "pid").write_text(str(os.getpid()))
        if text == "hang":
            re.match("(a+)+b", "a" * 60)  # years, and no other thread of Python's gets a turn
        held = []
        while text == "eat":
            held.append(bytearray(1 << 20))
        return plain_pack(text)

@hookimpl
def register_extractors(register):
    register("strange", lambda settings, context: Strange(), suffixes=(".txt",), version=1)
"""


def strange(folder: Path, texts: dict[str, str]) -> tuple[Path, Path]:
    """A library of text files that a plugin reads to which things happen, and its configuration."""
    (folder / "notes").mkdir()
    for name, text in texts.items():
        (folder / "notes" / f"{name}.txt").write_text(text)
    config = configure(folder / "config", '[plugins]\nblock = ["extractor.text"]\n')
    local = config.parent / "pincite_local.py"
    local.write_text(local.read_text() + STRANGE)
    return folder / "notes", config


def test_a_file_that_takes_all_memory_leaves_it_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))
    library, config = strange(tmp_path, {"a": "eat", **{f"b{at}": f"The tide turns {at} times." for at in range(6)}})
    with pincite.open(library, config=config) as opened:
        report = opened.index(embed=False)
        assert report.totals.indexed == 6
        ((path, reason),) = report.failures
        assert Path(path).name == "a.txt"
        assert "memory" in reason


@pytest.mark.skipif(sys.platform == "win32", reason="a thread waits for the main process there")
def test_a_worker_does_not_outlive_the_main_process(tmp_path: Path) -> None:
    library, config = strange(tmp_path, {"tides": "hang"})
    script = tmp_path / "mine.py"
    script.write_text("import pincite, sys\npincite.open(sys.argv[1], config=sys.argv[2]).index(embed=False)\n")
    process = subprocess.Popen(
        [sys.executable, str(script), str(library), str(config)],
        env={**os.environ, "PINCITE_HOME": str(tmp_path / "home")},
    )
    pid = wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    (folder,) = (tmp_path / "home" / "indexes").iterdir()
    with pytest.raises(Locked), writer_lock(folder):
        pass
    process.kill()
    process.wait()
    with writer_lock(folder):  # no other process holds it with the dead one
        wait_for(lambda: not running(int(pid)))


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(ask: Any) -> Any:
    end = time.monotonic() + 60
    while not (found := ask()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found
