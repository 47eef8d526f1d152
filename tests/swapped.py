"""A plugin of each kind, as a reader might write one: `tests/integration/test_swapping.py` lays this file beside a configuration, as
``pincite_local.py``. Each does something that the built-in one does not, so that the answer shows which of them was at work.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from pincite.indexing.plain import plain_pack
from pincite.spec import ModelFacts, hookimpl
from pincite.values.library import Attachment, Item, Record
from pincite.values.search import ChunkKind, Draft, Evidence, Fused, RankerStatus

WIDTH = 64


class Cards:
    """Source: a file with a work a line, ``title | text``."""

    def __init__(self, path):
        self.path, self.identity = path, f"cards:{path}"

    def records(self):
        for number, line in enumerate(self.path.read_text("utf-8").splitlines()):
            title, _, text = line.partition(" | ")
            id = f"card-{number:03}"
            yield Record(Item(id, title=title), attachments=(Attachment(f"{id}-text", text=text),))

    def watched(self):
        return [self.path]

    def close(self):
        pass


class Tables:
    """Extractor: a ``.csv`` file, a paragraph a line, and no commas."""

    name, version = "tables", 1

    def extract(self, path, password=None):
        lines = path.read_text("utf-8").replace(",", " ").splitlines()
        return replace(plain_pack("\n\n".join(lines)), extractor=self.name, extractor_version=self.version)


class Blocks:
    """Chunker: every paragraph is a passage."""

    name, version = "blocks", 1

    def cut(self, pack, count, window):
        spans = [(block.start, block.end) for block in pack.blocks]
        return [Draft((span,), tokens=count([pack.text[slice(*span)]])[0]) for span in spans]


class Hashes:
    """Embedder: hashed words."""

    facts = ModelFacts(f"hashes@1/{WIDTH}", "hashes", WIDTH, 400, tokenizer="words", ceiling=0.9)

    def count(self, texts):
        return [len(text.split()) for text in texts]

    def embed(self, texts, kind, cancelled=lambda: False):
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in text.lower().split() or [""]:
                vector[zlib.crc32(word.encode()) % WIDTH] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def close(self):
        pass


class Brevity:
    """Ranker: the shortest title first, whatever is asked."""

    name = "brevity"

    def __init__(self, store):
        self.store = store

    def catch_up(self, progress=lambda done, total: None, cancelled=lambda: False):
        pass

    def status(self):
        rows = len(self.store.all_rows())
        return RankerStatus(rows, rows, self.store.last_change())

    def rank(self, query, rows, limit, cancelled=lambda: False):
        entries = self.store.words(self.store.all_rows() if rows is None else rows.rows)
        lengths = {entry.row: len(entry.columns.get("title", "")) for entry in entries if entry.kind is ChunkKind.ITEM}
        scored = sorted((length, row) for row, length in lengths.items())[:limit]
        return [Evidence(row, -length, 1 / (1 + length / 1000)) for length, row in scored]

    def explain(self, query, row):
        return {}

    def close(self):
        pass


class Youngest:
    """Fuser: of what several rankers found, the work that came last into the index first."""

    name = "youngest"

    def fuse(self, query, lists):
        found = {}
        for ranked in lists.values():
            for one in ranked:
                found[one.item] = max(found.get(one.item, 0.0), one.fraction)
        only = next(iter(lists.values())) if len(lists) == 1 else ()
        score = {one.item: float(-at) for at, one in enumerate(only)}
        fused = [Fused(item, score.get(item, float(item)), relevance) for item, relevance in found.items()]
        return sorted(fused, key=lambda one: (-one.score, one.item))


class Longest:
    """Reranker: the longest passage first."""

    name = "longest"

    def rerank(self, query, candidates, cancelled=lambda: False):
        return sorted(((item, float(len(text))) for item, text in candidates), key=lambda one: -one[1])


class Last:
    """Picker: the last sentence."""

    name = "last"

    def pick(self, query, text, sentences):
        return sentences[-1] if sentences else None


class Beside:
    """Provider: the vectors of a text's paragraphs, where a file ``.npy`` with them lies beside it."""

    name = "beside"

    def fetch(self, model, attachments):
        found = {}
        for attachment in attachments:
            vectors = Path(attachment.path or "").with_suffix(".npy") if attachment.path else None
            if model == Hashes.facts.id and vectors is not None and vectors.is_file():
                blocks = plain_pack(Path(attachment.path).read_text("utf-8")).blocks
                anchors = [{"kind": "text", "spans": [[block.start, block.end]]} for block in blocks]
                found[attachment.id] = list(zip(anchors, np.load(vectors), strict=True))
        return found


@hookimpl
def register_sources(register):
    register("cards", lambda settings, context: Cards(context.library))


@hookimpl
def register_extractors(register):
    register("tables", lambda settings, context: Tables(), suffixes=(".csv",))


@hookimpl
def register_chunkers(register):
    register("blocks", lambda settings, context: Blocks())


@hookimpl
def register_embedders(register):
    register("hashes", lambda settings, context: Hashes())


@hookimpl
def register_stores(register):
    def nested(settings, context):
        from pincite_plugins.stores.sqlite.store import SqliteStore

        return SqliteStore(context.folder / "nested")

    register("nested", nested)


@hookimpl
def register_rankers(register):
    register("brevity", lambda settings, context: Brevity(context.store()))


@hookimpl
def register_fusers(register):
    register("youngest", lambda settings, context: Youngest())


@hookimpl
def register_rerankers(register):
    register("longest", lambda settings, context: Longest())


@hookimpl
def register_pickers(register):
    register("last", lambda settings, context: Last())


@hookimpl
def register_providers(register):
    register("beside", lambda settings, context: Beside())


@hookimpl
def register_commands(register):
    register("greet", lambda settings, context: lambda: print("good morning"), help="Says good morning.")
