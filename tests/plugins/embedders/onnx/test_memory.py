"""Memory of the embedder stays bounded by its setting (specs/08-model-cards.md)."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.model

PROGRAM = """
import re, sys
from pathlib import Path
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings, make
embedder = make(OnnxSettings(threads=2, batch_tokens=int(sys.argv[2])), Context(home=Path(sys.argv[1])))
embedder.embed([("moss on basalt " * 100)[: 200 + number] for number in range(12)] + ["moss " * 2000], "passage")
# not ru_maxrss, which begins with what the parent held when it forked
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in KiB on Linux")
def test_peak_memory_of_a_process_that_embeds_is_under_512_mib(e5):
    e5.count(["prepared"])
    command = [sys.executable, "-c", PROGRAM, str(e5._context.home), "512"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert int(done.stdout) < 512
