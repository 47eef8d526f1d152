"""Megabytes (UTF-8) a second of the normaliser, the tokeniser, the index form and the sentences, one core.

    python tests/benchmarks/normaliser.py

Texts come from PINCITE_CORPORA/ir; each figure is the best of three, in processor time.
"""

from __future__ import annotations

import json
import os
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

from pincite.text.normalise import normalise
from pincite.text.sentences import sentences
from pincite.text.tokens import index_text, tokens

SETS = ("scifact", *(f"xquad-mono/{language}" for language in ("de", "ru", "el", "ar", "hi", "th", "zh", "vi")))


def megabytes_a_second(run: Callable[[str], object], texts: list[str]) -> float:
    size = sum(len(text.encode()) for text in texts) / 1e6
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        for text in texts:
            run(text)
        best = min(best, time.process_time() - began)
    return size / best


def main() -> None:
    corpora = os.environ.get("PINCITE_CORPORA")
    if not corpora:
        raise SystemExit("set PINCITE_CORPORA to the folder with the collections")
    print(f"{'text':<16} {'normalise':>9} {'index':>7} {'tokens':>7} {'sentences':>9}")
    named: list[tuple[str, list[str]]] = []
    for name in SETS:
        lines = (Path(corpora) / "ir" / name / "docs.jsonl").read_text("utf-8").split("\n")
        named.append((name, [json.loads(line)["text"] for line in lines if line]))
    ascii_prose = [text for text in named[0][1] if text.isascii()]
    decomposed = [unicodedata.normalize("NFD", text) for text in named[1][1]]
    broken = [
        "\n".join(text[at : at + 80] + "-" * (at % 320 == 0) for at in range(0, len(text), 80)) for text in ascii_prose
    ]
    named = [("ASCII prose", ascii_prose), ("ASCII, lines", broken), *named, ("de, decomposed", decomposed)]
    for name, texts in named:
        few = texts[:150]
        figures = (
            megabytes_a_second(normalise, texts),
            megabytes_a_second(index_text, texts),
            megabytes_a_second(tokens, few),
            megabytes_a_second(sentences, texts),
        )
        print(f"{name:<16} {figures[0]:9.1f} {figures[1]:7.1f} {figures[2]:7.1f} {figures[3]:9.1f}", flush=True)


if __name__ == "__main__":
    main()
