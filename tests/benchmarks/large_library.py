"""A library of a million vectors: one question by words, as a process of its own.

    python tests/benchmarks/large_library.py FOLDER [--passages 1000000] [--times 9] [--against hybrid]

Makes in FOLDER, once, a library of works of 100 short passages of invented words (the commonest in a tenth of them, as words are), with a
vector of chance each, through the store and the rankers as a run does, but without a model. Then `pincite search` by words, file cache warm: wall
time, processor time, and the bytes read, which are to be compared with those of the vectors; also which files below `vector/` were opened (none).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import pincite
from pincite.item_text import item_chunk
from pincite.values.ledger import FileEntry, FileState, NewChunk
from pincite.values.library import Attachment, Item, Record, fingerprint
from pincite.values.search import ChunkKind, Draft

EACH = 100
WORDS = 9
VOCABULARY = 60_000
BATCH = 20_000

SEARCH = """
import os, sys
opened = []
sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event in ("open", "mmap.__new__") else None)
from pincite.cli.start import main
try:
    main()
finally:
    read = int(next(line for line in open("/proc/self/io") if line.startswith("rchar")).split()[1])
    maps = sum("/vector/" in line for line in open("/proc/self/maps"))
    print(f"read {read} vector {sum('/vector/' in name for name in opened) + maps}", file=sys.stderr)
"""
"""The command line, and what it read: bytes by system calls, files below vector/ that were opened or mapped. Being told of every file slows it."""


def word(number: int) -> str:
    """An invented word: syllables that spell a number."""
    syllables = ""
    while number or not syllables:
        number, rest = divmod(number, 80)
        syllables += "bdfghklmnprstvwz"[rest // 5] + "aeiou"[rest % 5]
    return syllables


def make(folder: Path, passages: int) -> None:
    """What is not there yet: cut short, it goes on where it was."""
    names = np.array([word(number) for number in range(VOCABULARY)])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "docs.jsonl").touch()
    began = time.process_time()
    with pincite.open(str(folder)) as library:
        if not library.indexed:
            library.index(lambda *told: None)
        store, facts = library.store, library.embedder.facts
        for number in range(store.totals().items, passages // EACH):
            rng = np.random.default_rng([11, number])
            drawn = np.minimum(VOCABULARY - 1, rng.zipf(1.25, EACH * WORDS)).reshape(EACH, WORDS)
            texts = [" ".join(names[line]) for line in drawn.tolist()]
            id = f"w{number:06}"
            body, at, chunks = "\n\n".join(texts), 0, []
            for text in texts:
                span = ((at, at + len(text)),)
                chunks.append(NewChunk(Draft(span, ChunkKind.BODY), text, text, anchor={"kind": "text"}, language="en"))
                at += len(text) + 2
            record = Record(
                Item(id, "book", " ".join(names[drawn[0, :4]])), attachments=(Attachment(f"{id}-f", text=body),)
            )
            row = store.put_record(record, fingerprint(record), {"": [item_chunk(record.item, "en")]})
            store.put_file(
                FileEntry(f"{id}-f", row, state=FileState.INDEXED, cutter="made", letters=len(body)), None, chunks
            )
        told(f"{passages:,} passages in the store", began)
        library.ranker("fts5").catch_up()
        told("fts5", began)
        have, want = store.coverage(facts.id)
        keys = [key for key, _ in store.embed_texts(store.pending(facts.id).tolist())] if have < want else []
        keys.sort()  # the order of the table: thousands at a time in any other write all of it each time
        for at in range(0, len(keys), BATCH):
            some = keys[at : at + BATCH]
            vectors = np.random.default_rng([12, at]).normal(size=(len(some), facts.width)).astype(np.float32)
            store.put_vectors(facts.id, some, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        told("vectors", began)
        for name in ("vector", "fts5"):
            library.ranker(name).catch_up()
            told(name, began)
        print(library.ranker("vector").status())


def told(what: str, began: float) -> None:
    print(f"{time.process_time() - began:8.1f} s of processor  {what}", flush=True)


def ask(folder: Path, engine: str, times: int) -> None:
    """One process a time, each another question of three words, one of them rare; then one that is watched, which takes longer."""
    rng = np.random.default_rng(12)
    walls, works = [], []
    for number in range(times + 2):
        question = " ".join(
            word(int(one)) for one in (rng.integers(1, 40), rng.integers(40, 2000), rng.integers(2000, 20_000))
        )
        asked = ["search", question, "--library", str(folder), "--engine", engine, "--json"]
        watched = number > times
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        program = ["-c", SEARCH] if watched else ["-m", "pincite.cli.start"]
        done = subprocess.run([sys.executable, *program, *asked], capture_output=True, text=True, check=True)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        assert json.loads(done.stdout)["hits"], question
        if 0 < number <= times:  # the first warms the file cache
            walls.append(wall)
            works.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    words = done.stderr.splitlines()[-1].split()
    read, vectors = int(words[words.index("read") + 1]), int(words[words.index("vector") + 1])
    print(
        f"{engine:8} wall median {1000 * statistics.median(walls):.0f} ms, worst {1000 * max(walls):.0f}; processor median "
        f"{1000 * statistics.median(works):.0f} ms; read {read / 1e6:.1f} MB, {vectors} vector files; load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--passages", type=int, default=1_000_000)
    arguments.add_argument("--times", type=int, default=9)
    arguments.add_argument("--against", default="")
    chosen = arguments.parse_args()
    make(chosen.folder, chosen.passages)
    for engine in filter(None, ("lexical", chosen.against)):
        ask(chosen.folder, engine, chosen.times)


if __name__ == "__main__":
    main()
