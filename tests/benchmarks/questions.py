"""Whether the first thing shown holds the answer, on the questions of ``questions.toml``, ``questions_unseen.toml`` or
``questions_blind.toml``.

    python tests/benchmarks/questions.py [--engine hybrid] [--unseen | --blind] [--verbose]

Searches ``PINCITE_CORPORA/docs/papers``, indexed first under PINCITE_HOME where it is not. Prints how often the first hit is the right file, and how
often its first sentence, its first passage, or one of the first five passages shown, holds the answer; paraphrased questions apart.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from pathlib import Path

import pincite

FIRST = 5
"""Passages, in the order in which they are shown, among which the right one should be."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="hybrid")
    parser.add_argument("--unseen", action="store_const", const="_unseen", dest="kept", default="")
    parser.add_argument("--blind", action="store_const", const="_blind", dest="kept")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    asked = Path(__file__).with_name(f"questions{given.kept}.toml")
    questions = tomllib.loads(asked.read_text("utf-8"))["question"]
    counts: dict[bool, list[tuple[bool, ...]]] = {False: [], True: []}
    with pincite.open(Path(os.environ["PINCITE_CORPORA"]) / "docs" / "papers") as library:
        if not library.indexed:
            library.index()
        for one in questions:
            hits = library.search(one["text"], engine=given.engine, limit=10).hits
            right = bool(hits) and hits[0].item.id.endswith(one["file"])
            first = hits[0].passages[0] if hits and hits[0].passages else None
            sentence = right and first is not None and _holds(one["answer"], first.sentence)
            passage = right and first is not None and _holds(one["answer"], first.text)
            shown_first = [(hit.item.id, text) for hit in hits for text in hit.passages][:FIRST]
            among = any(id.endswith(one["file"]) and _holds(one["answer"], text.text) for id, text in shown_first)
            counts[bool(one.get("paraphrased"))].append((right, sentence, passage, among))
            if given.verbose and not (sentence and passage):
                shown = " ".join(first.sentence.split()) if first else "nothing"
                print(
                    f"{one['text']}\n  file {right}, sentence {sentence}, passage {passage}: {hits[0].item.id if hits else ''}: {shown}"
                )
    for paraphrased, found in counts.items():
        files, sentences, passages, firsts = (sum(part) for part in zip(*found, strict=True))
        name = "paraphrased" if paraphrased else "in the paper's words"
        print(
            f"{given.engine}, {name}: of {len(found)}: file {files}, answer in the sentence {sentences}, in the passage {passages},"
            f" among the first {FIRST} passages {firsts}"
        )


def _holds(answer: str, text: str) -> bool:
    return re.search(answer, " ".join(re.sub(r"-\s*\n\s*", "", text).split()), re.IGNORECASE) is not None


if __name__ == "__main__":
    main()
