"""Worker processes (specs/21-indexing.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
        "from pincite.indexing.preloading import CONTEXT, preload\n"
        "import sys\n"
        "preload(['colorsys', 'no_such_module_at_all'])\n"
        "pool = CONTEXT().Pool(1)\n"
        "print(pool.apply(eval, (\"'colorsys' in __import__('sys').modules\",)))\n"
        "print(pool.apply(eval, (\"__import__('os').environ['OMP_NUM_THREADS']\",)))\n"
        "print('colorsys' in sys.modules)\n"
        "pool.terminate()\n"
    )
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True)
    assert made.stdout.split() == ["True", "1", "False"]
