"""What plugins print while they are loaded is no result (specs/13-exit-codes.md)."""

import subprocess
import sys

PROGRAM = """
import os, subprocess
from pincite.cli.aside import prints_aside
print("before")
with prints_aside():
    print("within")
    os.write(1, b"below\\n")
    subprocess.run(["echo", "a child"], check=True)
print("after")
"""


def test_prints_go_to_standard_error_and_come_back():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "before\nafter\n"
    assert sorted(done.stderr.splitlines()) == ["a child", "below", "within"]
