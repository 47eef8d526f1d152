"""A model's files are made once, whole or not at all (specs/08-model-cards.md, "Making")."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from cards import CARD
from pincite.errors import PinciteError
from pincite.models.card import parse_card
from pincite.models.make import made, make_once, models_folder, unsound

MAKER = """
import sys, time
from pathlib import Path
from pincite.models.card import parse_card
from pincite.models.make import make_once

def build(folder):
    (folder / "a.bin").write_bytes(b"a" * 1000)
    print("begun", flush=True)
    time.sleep(float(sys.argv[2]))
    (folder / "b.bin").write_bytes(b"b" * 1000)

make_once(Path(sys.argv[1]), parse_card(sys.stdin.read(), "card"), "maker 1", build)
print("done", flush=True)
"""


@pytest.fixture
def card():
    return parse_card(CARD, "card")


def fill(folder):
    (folder / "weights.bin").write_bytes(b"w" * 500)


def start(home, seconds):
    process = subprocess.Popen(
        [sys.executable, "-c", MAKER, str(home), str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    process.stdin.write(CARD)
    process.stdin.close()
    process.stdin = None
    return process


def test_it_is_made_once(tmp_path, card):
    calls = []
    for _ in range(3):
        folder = make_once(tmp_path, card, "maker 1", lambda folder: (calls.append(1), fill(folder)))
    assert len(calls) == 1
    assert folder == models_folder(tmp_path) / "heron-tiny-3" == made(tmp_path, card, "maker 1")
    assert (folder / "weights.bin").read_bytes() == b"w" * 500


def test_another_maker_makes_it_anew(tmp_path, card):
    make_once(tmp_path, card, "maker 1", fill)
    folder = make_once(tmp_path, card, "maker 2", lambda folder: (folder / "other.bin").write_bytes(b"o"))
    assert sorted(path.name for path in folder.iterdir()) == ["made.json", "other.bin"]
    assert made(tmp_path, card, "maker 1") is None


def test_a_failure_leaves_nothing_behind(tmp_path, card):
    def fails(folder):
        fill(folder)
        raise PinciteError("no more heron")

    with pytest.raises(PinciteError, match="no more heron"):
        make_once(tmp_path, card, "maker 1", fails)
    assert [path.name for path in models_folder(tmp_path).iterdir()] == [".heron-tiny-3.lock"]


def test_a_full_disk_is_one_line(tmp_path, card):
    def fails(folder):
        raise OSError(28, "No space left on device")

    with pytest.raises(PinciteError, match=r"heron-tiny: .*No space left on device.*free some space"):
        make_once(tmp_path, card, "maker 1", fails)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_killed_while_making_the_next_run_makes_it_whole(tmp_path, card):
    process = start(tmp_path, 60)
    assert process.stdout.readline() == "begun\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert made(tmp_path, card, "maker 1") is None
    folder = make_once(tmp_path, card, "maker 1", fill)
    assert unsound(folder) == []
    assert sorted(path.name for path in models_folder(tmp_path).iterdir()) == [".heron-tiny-3.lock", "heron-tiny-3"]


def test_two_processes_at_once_make_it_once(tmp_path, card):
    processes = [start(tmp_path, 0.5) for _ in range(2)]
    said = "".join(process.communicate()[0] for process in processes)
    assert said.count("begun") == 1
    assert said.count("done") == 2
    assert unsound(made(tmp_path, card, "maker 1")) == []


def test_waiting_for_another_process_is_said_and_can_be_cancelled(tmp_path, card):
    process = start(tmp_path, 60)
    assert process.stdout.readline() == "begun\n"
    notes = []
    began = time.monotonic()
    try:
        with pytest.raises(PinciteError, match="cancelled"):
            make_once(
                tmp_path, card, "maker 1", fill, note=notes.append, cancelled=lambda: time.monotonic() - began > 0.2
            )
    finally:
        process.kill()
        process.communicate()
    assert len(notes) == 1
    assert "waiting" in notes[0]


def test_a_changed_file_is_noticed(tmp_path, card):
    folder = make_once(tmp_path, card, "maker 1", fill)
    assert unsound(folder) == []
    (folder / "weights.bin").write_bytes(b"w" * 499 + b"x")
    assert unsound(folder) == ["weights.bin"]
