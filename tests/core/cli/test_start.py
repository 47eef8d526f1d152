"""How the process ends (specs/13-exit-codes.md)."""

import subprocess
import sys

import pytest

INTERRUPTED = """
import sys
from pincite.cli.start import forget_interruption
try:
    exec("raise KeyboardInterrupt")  # as one that comes while a dataclass is made
except KeyboardInterrupt:
    forget_interruption()
    sys.exit(130)
"""


@pytest.fixture
def ended(tmp_path):
    """The exit code of a module, which is run as ``python -m pincite.cli.start`` is."""

    def ended(text):
        (tmp_path / "interrupted.py").write_text(text, "utf-8")
        return subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, check=False).returncode

    return ended


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
def test_an_interruption_that_was_caught_ends_with_an_exit_code_wherever_it_came(ended):
    assert ended(INTERRUPTED) == 130
    if ended(INTERRUPTED.replace("    forget_interruption()\n", "")) == 130:
        pytest.skip("this Python does not remember it")
