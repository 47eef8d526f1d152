"""Runs that are killed: ``python tests/killing.py LIBRARY CONFIG --kills 200 --most 3`` or ``--every 20``; ``--ten`` makes a library of
ten documents, and a configuration with the tiny embedder.

Kills the process of `pincite index` (-9) at a random moment after at most `--most` seconds, `--kills` times, or every `--every` seconds
until it is done; then one run goes to its end, and the index is compared with one that was built without interruption. Exit code 1 where
they differ.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

RUN = "import sys; from pincite.cli.main import main; sys.argv = ['pincite', *sys.argv[1:]]; main()"


def run(library: Path, config: Path, home: Path) -> subprocess.Popen:
    """A run in a process group of its own, so that its workers can be killed with it as a power cut would."""
    environment = {**os.environ, "PINCITE_HOME": str(home)}
    command = [
        sys.executable,
        "-c",
        RUN,
        "index",
        "--library",
        str(library),
        "--config",
        str(config),
        "--progress",
        "none",
    ]
    return subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True)


def kill(process: subprocess.Popen) -> None:
    """All at once."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.wait()


def killed(library: Path, config: Path, home: Path, moments: list[float], touch=lambda number: None) -> int:
    """Begins a run for each moment and kills it then; how many were killed before they were done."""
    count = 0
    for number, moment in enumerate(moments):
        touch(number)
        process = run(library, config, home)
        try:
            process.wait(timeout=moment)
            assert process.returncode in (0, 3), process.stderr.read()
        except subprocess.TimeoutExpired:
            kill(process)
            count += 1
        process.stderr.close()
    return count


def finish(library: Path, config: Path, home: Path, every: float | None = None) -> int:
    """Runs to the end, killed every so many seconds where that is asked; how many runs it took. A traceback is an error."""
    for count in range(1, 500):
        process = run(library, config, home)
        try:
            _, errors = process.communicate(timeout=every)
        except subprocess.TimeoutExpired:
            kill(process)
            process.stderr.close()
            continue
        assert process.returncode in (0, 3), errors
        assert "Traceback" not in errors, errors
        return count
    raise AssertionError("never finished")


def compare(library: Path, config: Path, home: Path, other: Path, queries: tuple[str, ...]) -> list[str]:
    """Where the index in one data folder and that in another differ."""
    from indexes import differences, opened, said

    found = []
    for one in (home, other):
        os.environ["PINCITE_HOME"] = str(one)
        with opened(library, config) as made:
            assert made.store.db.execute("PRAGMA integrity_check").get == "ok"
            assert made.store.heal(deep=True) == []
            found.append(said(made, queries, made.embedder.facts.id))
    return differences(*found)


def ten(folder: Path) -> tuple[Path, Path]:
    """A library of ten documents of many passages, and its configuration."""
    from indexes import configure

    (folder / "ten").mkdir()
    for number in range(10):
        parts = [
            f"## Part {at}\n\n" + f"The {WORDS[(number + at) % 8]} of {WORDS[at % 8]} is number {number}. " * 20
            for at in range(40)
        ]
        (folder / "ten" / f"{number}.md").write_text(f"# Work {number}\n\n" + "\n\n".join(parts), "utf-8")
    return folder / "ten", configure(folder / "config")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path, nargs="?")
    parser.add_argument("config", type=Path, nargs="?")
    parser.add_argument("--ten", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--most", type=float, default=4.0)
    parser.add_argument("--every", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=Path, help="a folder of converted models, taken along")
    given = parser.parse_args()
    draw = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        if given.ten:
            given.library, given.config = ten(Path(folder))
        home, other = Path(folder, "killed"), Path(folder, "whole")
        for one in (home, other):
            one.mkdir()
            if given.models:
                (one / "models").symlink_to(given.models)
        began = time.monotonic()
        hit = 0
        if given.kills:
            # each kill begins with an empty index a tenth of the time, and with what the one before left the rest
            def touch(number: int) -> None:
                if draw.random() < 0.1:
                    subprocess.run(["rm", "-rf", str(home / "indexes")], check=True)

            hit = killed(
                given.library, given.config, home, [draw.uniform(0.2, given.most) for _ in range(given.kills)], touch
            )
        runs = finish(given.library, given.config, home, given.every)
        finish(given.library, given.config, other)
        wrong = compare(
            given.library, given.config, home, other, tuple(f"{a} {b}" for a in WORDS for b in WORDS if a != b)
        )
        print(
            f"{hit} of {given.kills} runs killed, {runs} runs to the end, {time.monotonic() - began:.0f} s; {len(wrong)} differences"
        )
        for line in wrong[:20]:
            print(line[:500])
        return 1 if wrong else 0


WORDS = ("attention", "storm", "language", "water", "model", "distance", "light", "results")

if __name__ == "__main__":
    sys.exit(main())
