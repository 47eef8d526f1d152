"""One writer an index (specs/03-store.md)."""

import subprocess
import sys
import time

import pytest

from pincite.errors import Locked
from pincite.indexing.lock import writer_lock

HOLD = """
import sys, time
from pathlib import Path
from pincite.indexing.lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_second_writer_is_told_who_holds_it(tmp_path, holder):
    with pytest.raises(Locked, match=f"process {holder.pid} .*is indexing this library"), writer_lock(tmp_path):
        pass


def test_a_dead_holders_lock_is_taken_over(tmp_path, holder):
    holder.kill()
    holder.wait()
    with writer_lock(tmp_path, patience=5):
        pass


def test_waiting_ends_when_the_holder_does(tmp_path, holder):
    began = time.monotonic()
    holder.terminate()
    with writer_lock(tmp_path, patience=30):
        assert time.monotonic() - began < 30
