"""Indexing a large library: ``python tests/benchmarks/indexing.py [ITEMS] [ATTACHMENTS]`` (10,000 and 2,000 unless told otherwise).

A Zotero library is made in a temporary folder: items with an abstract and a note each, and text attachments of about a page. Prints
the seconds until the first hit (metadata), those of the whole run with words, memory of the main process, the index's size, the seconds
of a second run with nothing changed, and those until a changed note is found while `pincite index --watch` is at work (`TIMES` notes, one after
the other: least, median, most).
Vectors are left out (``--vectors`` takes them in): they are the model's speed, not the run's. Then, with vectors, the size of the index of
a fifth as large a library of which half was deleted, compacted, beside that of a fresh one.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

TIMES = 7
"""Notes that are changed while the library is watched."""

QUIET = 3.0
"""Seconds between two of them: the run after the one before is over."""

SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ren",
    "tas",
    "vu",
    "del",
    "por",
    "shi",
    "an",
    "gro",
    "bek",
    "ul",
    "ti",
    "wes",
    "mo",
    "dra",
)


def word(draw: random.Random) -> str:
    return "".join(draw.choice(SYLLABLES) for _ in range(draw.randint(2, 4)))


def text(draw: random.Random, words: list[str], count: int) -> str:
    parts = [words[min(int(draw.expovariate(1.0) * 400), len(words) - 1)] for _ in range(count)]
    return ". ".join(" ".join(parts[at : at + 12]).capitalize() for at in range(0, count, 12)) + "."


def make(folder: Path, items: int, attachments: int) -> list[int]:
    """The library; the item numbers of its notes."""
    from zotero_library import ZoteroLibrary

    draw = random.Random(7)
    words = sorted({word(draw) for _ in range(20_000)})
    library = ZoteroLibrary(folder)
    notes = []
    for number in range(items):
        item = library.item(
            "journalArticle",
            title=text(draw, words, 9),
            abstractNote=text(draw, words, 120),
            date=f"{1950 + number % 70}-00-00 {1950 + number % 70}",
        )
        library.creator(item, word(draw).capitalize(), word(draw).capitalize())
        notes.append(library.note(f"<p>{text(draw, words, 40)}</p>", parent=item))
        if number < attachments:
            body = "\n\n".join(text(draw, words, 90) for _ in range(5))
            library.attachment("storage:page.txt", parent=item, content_type="text/plain", content=body.encode())
    library.close()
    return notes


def main() -> None:
    import psutil

    import pincite

    sizes = [int(part) for part in sys.argv[1:] if part.isdigit()] or [10_000, 2_000]
    vectors = "--vectors" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PINCITE_HOME"] = str(Path(folder, "home"))
        from indexes import configure

        config = configure(Path(folder, "config"))
        config.write_text(config.read_text().replace("workers = 1\n", ""))
        made = Path(folder, "zotero")
        began = time.perf_counter()
        notes = make(made, *sizes)
        print(f"library of {sizes[0]:,} items and {sizes[1]:,} attachments made in {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        cpu = time.process_time()
        first: list[float] = []
        peak = [0]
        done = threading.Event()

        def measure() -> None:
            with pincite.open(made, config=config) as reader:
                while not done.wait(0.1):
                    peak[0] = max(peak[0], psutil.Process().memory_info().rss)
                    if not first and (reader.folder / "index.db").exists():
                        try:
                            if reader.search("karen lodel mishi tasan", engine="lexical", limit=1).hits:
                                first.append(time.perf_counter() - began)
                        except Exception:  # nothing there to be found yet
                            reader.close()

        looking = threading.Thread(target=measure)
        looking.start()
        with pincite.open(made, config=config) as library:
            report = library.index(embed=vectors)
            whole = time.perf_counter() - began
            done.set()
            looking.join()
            folder_of = library.folder
        size = sum(path.stat().st_size for path in folder_of.rglob("*") if path.is_file())
        print(f"first hit after {first[0]:.1f} s" if first else "no hit while it ran")
        print(f"run {whole:.1f} s ({time.process_time() - cpu:.1f} s of CPU in the main process), {report.totals}")
        print("steps", {name: round(value, 1) for name, value in report.seconds.items()})
        print(f"memory {peak[0] / 2**20:.0f} MiB, index {size / 1e6:.0f} MB")
        began, cpu = time.perf_counter(), time.process_time()
        with pincite.open(made, config=config) as library:
            report = library.index(embed=vectors)
        print(
            f"second run {time.perf_counter() - began:.2f} s ({time.process_time() - cpu:.2f} s of CPU), {report.changed} changed"
        )
        chosen = [notes[len(notes) * number // TIMES] for number in range(TIMES)]
        seconds, cpu = watched(made, config, chosen, vectors)
        least, middle, most = min(seconds), statistics.median(seconds), max(seconds)
        print(
            f"changed note found {least:.2f} / {middle:.2f} / {most:.2f} s after it was written (least, median, most of {TIMES};"
            f" {cpu / TIMES:.2f} s of CPU in the watching process each)"
        )
        print(halved(Path(folder), config, sizes[0] // 5, sizes[1] // 5))


def halved(folder: Path, config: Path, items: int, attachments: int) -> str:
    """What is left of an index after half of its library has gone and it was compacted, and what a fresh one takes."""
    import sqlite3

    import pincite
    from pincite.indexing.compact import compact

    made = folder / "halved"
    make(made, items, attachments)
    with pincite.open(made, config=config) as library:
        library.index()
    before = bytes_of(library.folder)
    with pincite.open(made, config=config) as library:
        with sqlite3.connect(made / "zotero.sqlite") as database:
            database.execute(
                "INSERT INTO deletedItems (itemID) SELECT itemID FROM (SELECT itemID, row_number() OVER (ORDER BY itemID) AS at"
                " FROM items WHERE itemID NOT IN (SELECT itemID FROM itemNotes UNION SELECT itemID FROM itemAttachments))"
                " WHERE at % 2"
            )
        report = library.index()
    gone = bytes_of(library.folder)
    with pincite.open(made, config=config) as library:
        compact(library)
    after = bytes_of(library.folder)
    os.environ["PINCITE_HOME"] = str(folder / "fresh")
    with pincite.open(made, config=config) as library:
        library.index()
    fresh = bytes_of(library.folder)
    parts = {name: f"{after.get(name, 0) / 1e6:.2f}/{size / 1e6:.2f}" for name, size in sorted(fresh.items()) if size}
    total, anew = sum(after.values()), sum(fresh.values())
    return (
        f"{report.removed} items gone: {sum(before.values()) / 1e6:.1f} MB, then {sum(gone.values()) / 1e6:.1f},"
        f" compacted {total / 1e6:.1f}; fresh {anew / 1e6:.1f} MB: {total / anew:.3f} of it {parts}"
    )


def bytes_of(index: Path) -> dict[str, int]:
    """By file or folder at the top of an index."""
    return {
        top.name: sum(path.stat().st_size for path in (top, *top.rglob("*")) if path.is_file())
        for top in index.iterdir()
    }


def watched(made: Path, config: Path, notes: list[int], vectors: bool) -> tuple[list[float], float]:
    """For each note the seconds until it is found after it was changed in Zotero, with `pincite index --watch` in another process, and the
    CPU seconds of that process."""
    import sqlite3

    import psutil

    import pincite

    run = "import sys; from pincite.cli.main import main; sys.argv = ['pincite', *sys.argv[1:]]; main()"
    command = [sys.executable, "-c", run, "index", "--watch", "--library", str(made), "--config", str(config)]
    process = subprocess.Popen([*command, *([] if vectors else ["--words"])], stderr=subprocess.PIPE, text=True)
    seconds = []
    try:
        for line in process.stderr:
            if "items;" in line:
                break
        cpu = sum(psutil.Process(process.pid).cpu_times()[:2])
        with pincite.open(made, config=config) as reader:
            for number, note in enumerate(notes):
                time.sleep(QUIET)
                word = f"quetzalcoatlus{'abcdefghijklmnopqrstuvwxyz'[number]}"
                assert not reader.search(word, engine="lexical").hits
                with sqlite3.connect(made / "zotero.sqlite") as database:
                    database.execute(
                        "UPDATE itemNotes SET note = ? WHERE itemID = ?",
                        (f"<div><p>A {word} was seen here</p></div>", note),
                    )
                began = time.perf_counter()
                while not reader.search(word, engine="lexical").hits and time.perf_counter() - began < 60:
                    time.sleep(0.02)
                seconds.append(time.perf_counter() - began)
        return seconds, sum(psutil.Process(process.pid).cpu_times()[:2]) - cpu
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


if __name__ == "__main__":
    main()
