"""Which sentence of the passage that holds the evidence is shown: every picker beside random, first and longest sentence.

    python tests/benchmarks/sentences.py [scifact] [xquad-mono/LANG …] [xquad-cross/LANG …] [--cases N] [--remember]

Reads ``PINCITE_CORPORA/ir`` (docs.jsonl, queries.jsonl, spans.jsonl). A case is a question and the text that holds its evidence;
xquad-cross/LANG asks the English paragraphs in another language. A picker is right where the line that would be shown covers at
least half of a marked stretch. Prints the share of right lines and milliseconds a passage; `dense` without its limit of tokens, as
for the first works of an answer. `--remember` gives each text to the model once, whatever asks for it: for many cases, and without
the times.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pincite.config.load import home
from pincite.query.parse import parse
from pincite.search.quote import windowed, worth_picking
from pincite.spec import Context
from pincite.values.query import Query
from pincite.values.search import Quotable
from pincite_plugins.embedders.onnx import OnnxSettings
from pincite_plugins.embedders.onnx import make as make_embedder
from pincite_plugins.pickers.dense import Settings as DenseSettings
from pincite_plugins.pickers.dense.picker import DensePicker
from pincite_plugins.pickers.lexical.picker import LexicalPicker
from pincite_plugins.pickers.static.picker import StaticPicker

LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")
Span = tuple[int, int]


@dataclass(frozen=True)
class Case:
    query: Query
    passage: Quotable
    evidence: tuple[Span, ...]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--remember", action="store_true")
    given = parser.parse_args()
    corpora = Path(os.environ["PINCITE_CORPORA"]) / "ir"
    every = [
        "scifact",
        *(f"xquad-mono/{one}" for one in LANGUAGES),
        *(f"xquad-cross/{one}" for one in LANGUAGES if one != "en"),
    ]
    embedder = make_embedder(OnnxSettings(), Context(home=home(), note=print))
    embedder.embed(["warm"], "query")
    pickers = _pickers(Remembered(embedder) if given.remember else embedder)
    for name in given.sets or every:
        cases = _cases(corpora, name, given.cases)
        shown = []
        for picker, pick in pickers.items():
            began = time.perf_counter()
            spans = [pick(case) for case in cases]
            taken = (time.perf_counter() - began) / len(cases)
            right = sum(_covers(case, span) for case, span in zip(cases, spans, strict=True))
            shown.append(f"{picker} {right / len(cases):.3f}" + ("" if given.remember else f" ({1000 * taken:.1f} ms)"))
        print(f"{name}, {len(cases)} cases: " + ", ".join(shown), flush=True)


class Remembered:
    """An embedder that is given each text once."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self._vectors: dict[tuple[str, str], Any] = {}
        self._pieces: dict[str, Any] = {}
        self._tokens: dict[tuple[str, str], Any] = {}

    def count(self, texts: Sequence[str]) -> list[int]:
        return [1] * len(texts)  # the limit of tokens is not reached

    def embed(self, texts: Sequence[str], kind: str) -> Any:
        new = [text for text in dict.fromkeys(texts) if (text, kind) not in self._vectors]
        if new:
            self._vectors.update(zip(((text, kind) for text in new), self._embedder.embed(new, kind), strict=True))
        return np.stack([self._vectors[text, kind] for text in texts])

    def with_tokens(self, texts: Sequence[str], kind: str) -> tuple[Any, list[Any]]:
        new = [text for text in dict.fromkeys(texts) if (text, kind) not in self._tokens]
        if new:
            vectors, tokens = self._embedder.with_tokens(new, kind)
            self._tokens.update(zip(((text, kind) for text in new), zip(vectors, tokens, strict=True), strict=True))
        vectors, tokens = zip(*(self._tokens[text, kind] for text in texts), strict=True)
        return np.stack(vectors), list(tokens)

    def pieces(self, texts: Sequence[str]) -> list[Any]:
        for text in texts:
            if text not in self._pieces:
                self._pieces[text] = self._embedder.pieces([text])[0]
        return [self._pieces[text] for text in texts]


def _pickers(embedder: Any) -> dict[str, Callable[[Case], Span]]:
    def by(picker: Any) -> Callable[[Case], Span]:
        return lambda case: picker.pick_all(case.query, [case.passage])[0] or case.passage.sentences[0]

    lexical = LexicalPicker()
    draw = random.Random(1)
    return {
        "random": lambda case: draw.choice(case.passage.sentences),
        "first": lambda case: case.passage.sentences[0],
        "longest": lambda case: max(case.passage.sentences, key=lambda span: span[1] - span[0]),
        "lexical": lambda case: (
            lexical.pick(case.query, case.passage.text, case.passage.sentences) or case.passage.sentences[0]
        ),
        "static": by(StaticPicker(lambda: embedder)),
        "dense": by(DensePicker(lambda: embedder, DenseSettings(tokens=10_000))),
    }


def _covers(case: Case, span: Span) -> bool:
    start, end = windowed(case.query, case.passage.text, span)
    return any(2 * (min(end, last) - max(start, first)) >= last - first for first, last in case.evidence)


def _cases(corpora: Path, name: str, most: int) -> list[Case]:
    collection, _, language = name.partition("/")
    folder = (
        corpora / "xquad-mono" / ("en" if collection == "xquad-cross" else language)
        if language
        else corpora / collection
    )
    asked = corpora / "xquad-mono" / language if collection == "xquad-cross" else folder
    docs = {one["id"]: one["text"] for one in _lines(folder / "docs.jsonl")}
    queries = {one["id"]: one["text"] for one in _lines(asked / "queries.jsonl")}
    spans: dict[tuple[str, str], list[Span]] = {}
    for one in _lines(folder / "spans.jsonl"):
        id = f"{language}-{one['qid'].partition('-')[2]}" if collection == "xquad-cross" else one["qid"]
        if id in queries and one["docid"] in docs:
            spans.setdefault((id, one["docid"]), []).append((one["start"], one["end"]))
    chosen = sorted(spans)
    if len(chosen) > most:
        chosen = random.Random(7).sample(chosen, most)
    return [
        Case(parse(queries[id]), Quotable(docs[doc], worth_picking(docs[doc])), tuple(spans[id, doc]))
        for id, doc in chosen
    ]


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


if __name__ == "__main__":
    main()
