"""What a disk may do to an index: ``python tests/faults.py``, as root on Linux (it mounts a small tmpfs), or what it can without.

- disk full: an index on a tmpfs that is too small; it says so in one line, and goes on when there is room
- read-only: an index on a file system mounted read-only is searched, and not indexed
- bit flips: 200 bits over database, packs and the rankers' files; each harmless, or noticed and made good by the next run
- truncated: every stored file cut short in turn

Exit code 1 where an answer was wrong, or a traceback was shown.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

TEXTS = (
    "The holdfast grips the rock and the urchins graze below it.",
    "Bells ring at noon over the roofs of the village by the sea.",
    "The moon pulls the water twice a day into the empty harbour.",
    "Salt is won from sea water in shallow pans made of clay.",
)
QUERIES = ("urchins graze", "bells at noon", "moon and water", "salt", "holdfast rock")


def shelf(folder: Path) -> Path:
    """Forty documents, every one of its own words."""
    folder.mkdir()
    for number in range(40):
        paragraphs = [f"{TEXTS[(number + at) % len(TEXTS)]} This is part {number} of {at}." for at in range(8)]
        (folder / f"{number:02}.md").write_text(f"# Work {number}\n\n" + "\n\n".join(paragraphs), "utf-8")
    return folder


def pincite(home: Path, config: Path, *arguments: str) -> subprocess.CompletedProcess:
    """The command line in a process of its own."""
    code = "import sys; from pincite.cli.main import main; main()"
    command = [sys.executable, "-c", code, *arguments, "--config", str(config)]
    done = subprocess.run(
        command, env={**os.environ, "PINCITE_HOME": str(home)}, capture_output=True, text=True, timeout=300, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "unexpected error" not in done.stderr, done.stderr
    return done


def full(base: Path, library: Path, config: Path) -> str:
    place = base / "small"
    place.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=220k", "tmpfs", place], check=False, capture_output=True
    ).returncode:
        return "disk full: skipped, no tmpfs can be mounted here"
    try:
        done = pincite(place, config, "index", "--library", str(library))
        assert done.returncode in (1, 3), (done.returncode, done.stderr)
        assert "full" in done.stderr or "No space" in done.stderr, done.stderr
        subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
        done = pincite(place, config, "index", "--library", str(library))
        assert done.returncode == 0, done.stderr
        wrong = compare(library, config, place, base / "whole")
        assert not wrong, wrong
        read_only(place, library, config)
    finally:
        subprocess.run(["umount", place], check=False)
    return "disk full: said in one line; the next run with room gives the whole index. Read-only: searched, not indexed"


def read_only(place: Path, library: Path, config: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", place], check=True)
    done = pincite(place, config, "search", "urchins graze", "--library", str(library), "--json")
    assert done.returncode == 0, done.stderr
    assert "urchins" in done.stdout.lower()
    done = pincite(place, config, "index", "--library", str(library))
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "cannot be written" in done.stderr or "read-only" in done.stderr, done.stderr


def compare(library: Path, config: Path, home: Path, other: Path) -> list[str]:
    from killing import compare

    return compare(library, config, home, other, QUERIES)


def damage(base: Path, library: Path, config: Path, flips: int, seed: int) -> str:
    """Each time a fresh copy of a whole index, one bit flipped or one file cut, a reader, a run, and the comparison with the whole one."""
    from indexes import differences, opened, said
    from pincite.errors import PinciteError

    draw = random.Random(seed)
    whole = base / "whole"
    os.environ["PINCITE_HOME"] = str(whole)
    with opened(library, config) as made:
        right, told = said(made, QUERIES), answers(made)
    files = sorted(
        path
        for path in (whole / "indexes").rglob("*")
        if path.is_file() and path.stat().st_size and not path.name.endswith("lock")
    )
    chances = [path.stat().st_size ** 0.5 for path in files]  # small files are hit, too
    counts = {"harmless": 0, "noticed by the reader": 0, "noticed by the run": 0, "wrong": 0}
    for number in range(flips):
        if number % 20 == 0:
            print(f"{number} of {flips}: {counts}", file=sys.stderr, flush=True)
        home = base / "hit"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(whole, home)
        hit = home / draw.choices(files, chances)[0].relative_to(whole)
        data = bytearray(hit.read_bytes())
        where = draw.randrange(len(data))
        if number % 10 == 9:
            del data[where:]
        else:
            data[where] ^= 1 << draw.randrange(8)
        hit.write_bytes(data)
        os.environ["PINCITE_HOME"] = str(home)
        what = f"{hit.relative_to(home)} at {where}" + (" cut" if number % 10 == 9 else "")
        try:
            with opened(library, config) as made:
                wrong = wrong_answers(right, said(made, QUERIES), told, answers(made))
            noticed = bool(wrong)
            if any(line.startswith("!") for line in wrong):
                counts["wrong"] += 1
                print(f"wrong: {what}: {wrong[0][:300]}", flush=True)
        except PinciteError:
            noticed = True
        except Exception as error:
            noticed = False
            counts["wrong"] += 1
            print(f"traceback of a reader: {what}", *traceback.format_exception(error)[-6:], flush=True)
        try:
            with opened(library, config) as made:
                made.store.set("checked", "1")  # the weekly check is due
                report = made.index()
                after = differences(right, said(made, QUERIES))
        except Exception as error:
            counts["wrong"] += 1
            print(f"traceback of a run: {what}", *traceback.format_exception(error)[-6:], flush=True)
            continue
        if after:
            counts["wrong"] += 1
            print(f"not made good: {what}: {after[0][:300]} {report.notes} {report.problems}", flush=True)
        counts["noticed by the reader" if noticed else "noticed by the run" if report.notes else "harmless"] += 1
    return f"damage: {flips} hits: " + ", ".join(f"{count} {name}" for name, count in counts.items())


def answers(library: Any) -> dict[str, Any]:
    """What a person is told for each query: (whether the answer says that it is whole, the hits with their passages)."""
    found = {query: library.search(query) for query in QUERIES}
    return {
        query: (
            results.degraded is None,
            [(hit.item.id, [(passage.id, passage.text) for passage in hit.passages]) for hit in results.hits],
        )
        for query, results in found.items()
    }


def wrong_answers(right: dict, found: dict, told: dict, answered: dict) -> list[str]:
    """What a reader was told that is not so; what it was not told at all is marked otherwise. A wrong answer begins with "!"."""
    wrong = []
    for part in ("items", "files", "chunks"):
        for key, value in found[part].items():
            if key not in right[part]:
                wrong.append(f"!{part} {key}")
            elif value != right[part][key]:
                text = value.get("text", "") if isinstance(value, dict) else ""
                wrong.append(f"{'' if part == 'chunks' and text is None else '!'}{part} {key}: {value}")
        wrong += [f"{part} {key} is missing" for key in right[part].keys() - found[part].keys()]
    for query, answer in found["results"].items():
        if answer != right["results"][query]:
            wrong.append(f"results of {query}")
    for query, (whole, hits) in answered.items():
        if hits != told[query][1]:
            wrong.append(f"{'!' if whole else ''}answer to {query}")
    return wrong


def main() -> int:
    from indexes import configure

    flips = next((int(word) for word in sys.argv if word.isdigit()), 200)
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        library, config = shelf(base / "shelf"), configure(base / "config")
        assert pincite(base / "whole", config, "index", "--library", str(library)).returncode == 0
        if "--flips" not in sys.argv:
            print(full(base, library, config), flush=True)
        print(damage(base, library, config, flips, 3), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
