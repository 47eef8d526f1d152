"""Plugins with one fault each, right in all else: what the kits and the seam must notice. Used as a local plugin file too."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from pincite.spec import hookimpl
from pincite.testing.samples import TrigramEmbedder
from pincite.values.library import Item, Record
from pincite.values.pack import Pack, Run
from pincite.values.search import ChunkKind, Draft, Evidence, Fused, RankerStatus

KEPT_OPEN = []


class Lines:
    """A source of a work a line."""

    def __init__(self, path):
        self.path, self.identity = path, f"lines:{path}"

    def lines(self):
        return self.path.read_text("utf-8").splitlines()

    def records(self):
        for line in sorted(set(self.lines())):
            yield Record(Item(line, title=line))

    def watched(self):
        return [self.path]

    def close(self):
        pass


class Shuffled(Lines):
    def records(self):
        return reversed(list(super().records()))


class Leaking(Lines):
    def lines(self):
        file = self.path.open(encoding="utf-8")
        KEPT_OPEN.append(file)
        return file.read().splitlines()


class Sleeping(Lines):
    def records(self):
        while True:
            time.sleep(0.01)
        yield


class NotANumber(TrigramEmbedder):
    def embed(self, texts, kind, cancelled=lambda: False):
        return super().embed(texts, kind, cancelled) * np.float32(np.nan)


class Wide(TrigramEmbedder):
    def embed(self, texts, kind, cancelled=lambda: False):
        return np.pad(super().embed(texts, kind, cancelled), ((0, 0), (0, 1)))


class Deaf(TrigramEmbedder):
    def embed(self, texts, kind, cancelled=lambda: False):
        cancelled()
        return super().embed(texts, kind)


class Lying(TrigramEmbedder):
    def count(self, texts):
        return [1 for _ in texts]


class Miscounting(TrigramEmbedder):
    def count(self, texts):
        return super().count(texts)[1:]


class Longest:
    """A ranker by length of text."""

    name = "longest"

    def __init__(self, store, name):
        self.store, self.name = store, name

    def catch_up(self, progress=lambda done, total: None, cancelled=lambda: False):
        pass

    def status(self):
        rows = len(self.store.all_rows())
        return RankerStatus(rows, rows, self.store.last_change())

    def rank(self, query, rows, limit, cancelled=lambda: False):
        chosen = self.store.all_rows() if rows is None else rows.rows
        found = [Evidence(row, len(text), min(1.0, len(text) / 100)) for row, text in self.store.texts(chosen).items()]
        return sorted(found, key=lambda one: (-one.score, one.row))[:limit]

    def explain(self, query, row):
        return {}

    def close(self):
        pass


class Unordered(Longest):
    def rank(self, query, rows, limit, cancelled=lambda: False):
        return list(reversed(super().rank(query, rows, limit)))


class CutsFirst(Longest):
    def rank(self, query, rows, limit, cancelled=lambda: False):
        best = super().rank(query, None, limit)
        return [one for one in best if rows is None or one.row in rows.rows]


class Boasting(Longest):
    def status(self):
        return replace(super().status(), rows=10**6)


class Babbling(Longest):
    def met(self, query, rows):
        return dict.fromkeys([*rows.tolist(), 10**6], ("all",))


class Summing:
    """A fuser by sums."""

    name = "summing"

    def fuse(self, query, lists):
        found = {}
        for ranked in lists.values():
            for entry in ranked:
                before = found.get(entry.item, Fused(entry.item, 0.0, 0.0))
                found[entry.item] = replace(
                    before, score=before.score + entry.score, relevance=max(before.relevance, entry.fraction)
                )
        return sorted(found.values(), key=lambda one: (-one.score, one.item))


class Greedy(Summing):
    name = "greedy"

    def fuse(self, query, lists):
        fused = super().fuse(query, lists)
        for ranked in lists.values():
            ranked.clear()
        return fused


class Stuck:
    name = "stuck"

    def pick(self, query, text, sentences):
        time.sleep(3600)


class Shifted:
    """A chunker of a chunk a block, three characters too far."""

    name = "shifted"
    version = 1

    def cut(self, pack, count, window):
        return [Draft(((block.start + 3, block.end + 3),), ChunkKind.BODY, tokens=1) for block in pack.blocks]


class Skewed:
    """An extractor whose blocks begin and end where the text does not."""

    name = "skewed"
    version = 1

    def extract(self, path, password=None):
        from pincite.errors import Unreadable
        from pincite.indexing.plain import plain_pack

        try:
            pack = plain_pack(path.read_text("utf-8", "replace"))
        except OSError as error:
            raise Unreadable("unreadable", str(error.strerror)) from None
        blocks = tuple(replace(block, start=block.start + 2, end=block.end + 2) for block in pack.blocks)
        return Pack(
            "skewed", pack.text, blocks, runs=(Run(0, len(pack.text)),), extractor=self.name, extractor_version=1
        )


@hookimpl
def register_sources(register):
    for name, made in (("shuffled", Shuffled), ("leaking", Leaking), ("sleeping", Sleeping)):
        register(name, lambda settings, context, made=made: made(context.library))
    register("text-instead", lambda settings, context: "a source")


@hookimpl
def register_extractors(register):
    register("skewed", lambda settings, context: Skewed(), suffixes=(".skewed",))


@hookimpl
def register_chunkers(register):
    register("shifted", lambda settings, context: Shifted())


@hookimpl
def register_embedders(register):
    for name, made in (
        ("nan", NotANumber),
        ("wide", Wide),
        ("deaf", Deaf),
        ("lying", Lying),
        ("miscounting", Miscounting),
    ):
        register(name, lambda settings, context, made=made: made())
    register("trigrams", lambda settings, context: TrigramEmbedder())


@hookimpl
def register_rankers(register):
    for name, made in (
        ("longest", Longest),
        ("unordered", Unordered),
        ("cuts-first", CutsFirst),
        ("boasting", Boasting),
        ("babbling", Babbling),
    ):
        register(name, lambda settings, context, made=made, name=name: made(context.store(), name))


@hookimpl
def register_fusers(register):
    register("greedy", lambda settings, context: Greedy())
    register("summing", lambda settings, context: Summing())
    register("rrf-twice", lambda settings, context: Summing())


@hookimpl
def register_pickers(register):
    register("stuck", lambda settings, context: Stuck())
