"""How the process ends (specs/13-exit-codes.md)."""

import os
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


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors as a shell does")
@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_stream_that_was_closed_ends_nothing_and_lends_its_number_to_no_file(tmp_path, closed):
    (tmp_path / "note.md").write_text("# Lamp\n\nThe lamp of the harbour burns all night.\n", "utf-8")
    (tmp_path / "home").mkdir()
    command = f"{sys.executable} -m pincite.cli.start search lamp -e lexical --library {tmp_path / 'note.md'} {closed}"
    done = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        env=os.environ | {"PINCITE_HOME": str(tmp_path / "home")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (b"lamp of the harbour" in done.stdout) is ("1>&-" not in closed)
