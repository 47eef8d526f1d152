"""Whole indexes for tests: a configuration with a tiny embedder, and everything that an index says, to compare two of them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np

import pincite
from pincite.errors import NotReady
from pincite.query.parse import parse
from pincite.values.library import to_json

LOCAL = '''
import os, sys, time
sys.path.insert(0, {tests!r})
from pincite.spec import ModelFacts, hookimpl
from stores import vectors_of

class Tiny:
    """Counts words; its vectors depend on nothing but the text. TINY_SLOW: seconds that a call takes."""
    facts = ModelFacts("tiny@1/32", "tiny", 32, 60, tokenizer="words")
    def count(self, texts):
        return [len(text.split()) for text in texts]
    def embed(self, texts, kind, cancelled=lambda: False):
        time.sleep(float(os.environ.get("TINY_SLOW", "0")))
        return vectors_of(list(texts))
    def close(self):
        pass

@hookimpl
def register_embedders(register):
    register("tiny", lambda settings, context: Tiny())
'''

CONFIG = """
[embedder]
use = "tiny"
[index]
floor = 0
workers = 1
"""


def configure(folder: Path, more: str = "") -> Path:
    """A configuration file that uses the tiny embedder; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pincite_local.py").write_text(LOCAL.format(tests=str(Path(__file__).parent)), "utf-8")
    (folder / "pincite.toml").write_text(CONFIG + more, "utf-8")
    return folder / "pincite.toml"


MODEL = "tiny@1/32"


def said(library: Any, queries: tuple[str, ...] = (), model: str = MODEL) -> dict[str, Any]:
    """Everything that an index says, with rows replaced by ids: two indexes of the same library say the same.

    Vectors are under "vectors" by passage id, the 20 best passages of each ranker under "results"
    by query."""
    store = library.store
    rows = store.all_rows()
    chunks, texts = store.chunks(rows), store.texts(rows)
    have, vectors = store.vectors(model, rows)
    by_row = {int(row): vector for row, vector in zip(have, vectors, strict=True)}
    items = {id: store.find_item(id) for id in store.fingerprints()}
    records = store.records(items.values())
    words = {word.row: word.columns for word in store.words(rows)}
    return {
        "items": {id: json.loads(to_json(records[row])) for id, row in items.items()},
        "files": {
            entry.attachment: (
                entry.path, str(entry.state), entry.verdict, entry.hash if entry.state == "indexed" else "", entry.extractor,
                entry.cutter, dict(entry.pages), entry.letters,
            )
            for entry in store.files()
        },
        "chunks": {
            (chunk.id, chunk.child == ""): {
                **{name: value for name, value in dataclasses.asdict(chunk).items() if name not in ("row", "item")},
                "text": texts.get(row),
                "words": words.get(row),
                "item": store.item_ids([chunk.item])[chunk.item],
            }
            for row, chunk in chunks.items()
        },
        "vectors": {(chunks[row].id, chunks[row].child == ""): np.asarray(vector, np.float32) for row, vector in by_row.items()},
        "rankers": {
            name: (status.rows, status.expected, status.degraded)
            for name in library.rankers_of("hybrid")
            for status in [library.ranker(name).status()]
        },
        "results": {
            query: {
                (name, chunks[found.row].id, chunks[found.row].child == "")
                for name in library.rankers_of("hybrid")
                for found in _ranked(library.ranker(name), query)
                if found.row in chunks  # a store that was set aside and begun anew is ahead of its rankers
            }
            for query in queries
        },
    }  # fmt: skip


def _ranked(ranker: Any, query: str) -> list[Any]:
    try:
        return list(ranker.rank(parse(query), None, 20))
    except NotReady:  # a library from which everything has gone
        return []


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Where two indexes differ, in words; empty where they say the same. Vectors agree to a cosine of 0.999."""
    wrong = []
    for part in one:
        if part in ("vectors", "results"):
            continue
        for key in sorted(one[part].keys() | other[part].keys()):
            a, b = one[part].get(key), other[part].get(key)
            if a != b:
                wrong.append(f"{part} {key}: {a!r} != {b!r}")
    if one["vectors"].keys() != other["vectors"].keys():
        wrong.append(f"vectors of {sorted(one['vectors'].keys() ^ other['vectors'].keys())}")
    for key in one["vectors"].keys() & other["vectors"].keys():
        cosine = float(one["vectors"][key] @ other["vectors"][key])
        if cosine < 0.999:
            wrong.append(f"vector of {key}: cosine {cosine}")
    for query, a in one["results"].items():
        b = other["results"][query]
        # a ranker may count a deleted row in a word's rarity until it merges, and ties are in the order of the rows
        if len(a ^ b) > len(a | b) // 10:
            wrong.append(f"results of {query}: {sorted(a ^ b)} of {len(a | b)}")
    return wrong


def opened(library: Path, config: Path, **settings: Any) -> Any:
    """A library of the tiny configuration."""
    return pincite.open(library, config=config, **settings)
