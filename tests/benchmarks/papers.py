"""The main job on a folder of papers, as whole processes: python tests/benchmarks/papers.py FOLDER [--queries N]

Prints how long it takes until words can be searched and until everything is indexed, the memory of the main process, the time of a
search as a whole process (a new one for each query), and the size of the environment. Run it where pincite is installed (not editable) and
nothing else is running. Beside it, where they are installed, the same questions to a peer: ``recoll`` (words only).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import psutil

QUESTIONS = (
    "how do people keep track of things they have to do",
    "trace compilation of dynamic languages",
    "extracting relations between entities from text",
    "teaching programming with notebooks",
    "flow duration curves of ungauged rivers",
)


def run(arguments: list[str], environment: dict[str, str]) -> tuple[float, float, int]:
    """Wall seconds, peak resident MiB of the main process (its workers apart), exit code."""
    began = time.perf_counter()
    process = psutil.Popen(
        [sys.executable, "-m", "pincite.cli.start", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    peak = 0
    while process.poll() is None:
        try:
            peak = max(peak, process.memory_info().rss)
        except psutil.Error:
            break
        time.sleep(0.02)
    code = process.wait()
    return time.perf_counter() - began, peak / 2**20, code


def search_seconds(folder: str, engine: str, environment: dict[str, str]) -> list[float]:
    return [
        run(["search", question, "--library", folder, "--engine", engine, "--json"], environment)[0]
        for question in QUESTIONS
    ]


def environment_size() -> float:
    total = 0
    for path in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for root, _, names in os.walk(path):
            total += sum(os.lstat(os.path.join(root, name)).st_size for name in names)
    return total / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    folder = parser.parse_args().folder
    home = Path(tempfile.mkdtemp(prefix="pincite-bench-"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PINCITE_")}
    environment["PINCITE_HOME"] = str(home)
    try:
        (home / "warm").mkdir()
        (home / "warm" / "note.md").write_text("# A note\n\nThe model is made ready once.\n")
        made, _, _ = run(["search", "ready", "--library", str(home / "warm")], environment)
        words, _, _ = run(["index", "--library", folder, "--words"], environment)
        lexical = search_seconds(folder, "lexical", environment)
        rest, peak, code = run(["index", "--library", folder], environment)
        hybrid = search_seconds(folder, "hybrid", environment)
        lexical += search_seconds(folder, "lexical", environment)
        files = len([path for path in Path(folder).rglob("*") if path.is_file()])
        print(f"{files} files; model made ready once in {made:.1f} s; exit code {code}")
        print(f"words searchable             {words:7.1f} s    (asked: 8)")
        print(f"everything                   {words + rest:7.1f} s    (asked: 75)")
        print(f"main process, peak           {peak:7.0f} MiB  (asked: 1024)")
        print(
            f"hybrid search, process       {statistics.median(hybrid):7.2f} s    (asked: 1.2)  worst {max(hybrid):.2f}"
        )
        print(
            f"lexical search, process      {statistics.median(lexical):7.2f} s    (asked: 0.5)  worst {max(lexical):.2f}"
        )
        print(f"environment                  {environment_size():7.0f} MB   (asked: 700)")
        recoll(folder, home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def recoll(folder: str, home: Path) -> None:
    """recoll, words only, where it is installed."""
    if not shutil.which("recollindex"):
        print("recoll is not installed: no comparison")
        return
    settings = home / "recoll"
    settings.mkdir()
    (settings / "recoll.conf").write_text(f"topdirs = {folder}\n")
    began = time.perf_counter()
    subprocess.run(["recollindex", "-c", str(settings), "-z"], capture_output=True, check=False)
    print(f"recoll, words only           {time.perf_counter() - began:7.1f} s")
    seconds = []
    for question in QUESTIONS:
        began = time.perf_counter()
        subprocess.run(["recollq", "-c", str(settings), "-o", question], capture_output=True, check=False)
        seconds.append(time.perf_counter() - began)
    print(f"recoll search, process       {statistics.median(seconds):7.2f} s")


if __name__ == "__main__":
    main()
