"""Nothing goes out by way of a library either (specs/08-model-cards.md, "Running")."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

LOAD = """
import time
from pincite.models.runtime import onnxruntime
print(onnxruntime().__name__)
time.sleep(1)
"""


def test_onnxruntime_keeps_no_number_of_the_machine_and_nothing_to_send(tmp_path):
    """What it would send it writes down first, below the home folder and the temporary one. It does so nowhere where CI is set."""
    kept = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith(("ORT_", "XDG_"))}
    folders = {name: str(tmp_path / name) for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP")}
    for folder in folders.values():
        Path(folder).mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LOAD], env=kept | folders, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "onnxruntime\n"
    assert [path.name for folder in folders.values() for path in Path(folder).rglob("*")] == []


def test_it_is_loaded_nowhere_else():
    direct = re.compile(r"^\s*(import onnxruntime|from onnxruntime)", re.MULTILINE)
    files = [file for part in ("core", "plugins", "contrib") for file in (ROOT / part).rglob("*.py")]
    assert [file.name for file in files if direct.search(file.read_text("utf-8"))] == ["runtime.py"]
