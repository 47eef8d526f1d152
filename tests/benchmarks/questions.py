"""Whether the first thing shown holds the answer, on the questions of ``questions.toml``, ``questions_unseen.toml`` or
``questions_blind.toml``.

    python tests/benchmarks/questions.py [--engine hybrid] [--unseen | --blind] [--verbose | --ranks]

Searches ``PINCITE_CORPORA/docs/papers``, indexed first under PINCITE_HOME where it is not. Prints how often the first hit is the right file, and how
often its first sentence, its first passage, or one of the first five passages shown, holds the answer; paraphrased questions apart. `--ranks`: instead
where the passage that holds it stands among all passages of the library by each ranker alone, and among those of its file.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from pathlib import Path

import numpy as np

import pincite
from pincite.library import Library
from pincite.query.parse import parse

FIRST = 5
"""Passages, in the order in which they are shown, among which the right one should be."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="hybrid")
    parser.add_argument("--unseen", action="store_const", const="_unseen", dest="kept", default="")
    parser.add_argument("--blind", action="store_const", const="_blind", dest="kept")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--ranks", action="store_true")
    given = parser.parse_args()
    asked = Path(__file__).with_name(f"questions{given.kept}.toml")
    questions = tomllib.loads(asked.read_text("utf-8"))["question"]
    counts: dict[bool, list[tuple[bool, ...]]] = {False: [], True: []}
    with pincite.open(Path(os.environ["PINCITE_CORPORA"]) / "docs" / "papers") as library:
        if not library.indexed:
            library.index()
        if given.ranks:
            for paraphrased in (False, True):
                _print_ranks(
                    library, given.engine, [one for one in questions if bool(one.get("paraphrased")) == paraphrased]
                )
            return
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
        print(
            f"{given.engine}, {_named(paraphrased)}: of {len(found)}: file {files}, answer in the sentence {sentences}, in the passage {passages},"
            f" among the first {FIRST} passages {firsts}"
        )


def _print_ranks(library: Library, engine: str, questions: list[dict[str, str]]) -> None:
    store = library.store
    rows = store.all_rows()
    texts, items = store.texts(rows.tolist()), dict(zip(rows.tolist(), store.items_of(rows).tolist(), strict=True))
    names = store.item_ids(set(items.values()))
    for ranker in library.rankers_of(engine):
        ranks = []
        for one in questions:
            found = [evidence.row for evidence in library.ranker(ranker).rank(parse(one["text"]), None, len(rows))]
            own = [row for row in found if names[items[row]].endswith(one["file"])]
            answers = {row for row in own if _holds(one["answer"], texts.get(row, ""))}
            ranks.append([_first(some, answers) for some in (found, own)] + [_first(found, set(own))])
        first, tenth = ((np.array(ranks) <= rank).sum(axis=0) for rank in (1, 10))
        print(
            f"{ranker}, {_named(bool(questions[0].get('paraphrased')))}: of {len(questions)}: passage first {first[0]}, among ten {tenth[0]},"
            f" median rank {np.median(ranks, axis=0)[0]:g} of {len(rows):,}; first in its file {first[1]}, among ten {tenth[1]}; file first {first[2]}"
        )


def _first(found: list[int], wanted: set[int]) -> float:
    """The rank of the first that is wanted."""
    return next((float(rank) for rank, row in enumerate(found, 1) if row in wanted), np.inf)


def _named(paraphrased: bool) -> str:
    return "paraphrased" if paraphrased else "in the paper's words"


def _holds(answer: str, text: str) -> bool:
    return re.search(answer, " ".join(re.sub(r"-\s*\n\s*", "", text).split()), re.IGNORECASE) is not None


if __name__ == "__main__":
    main()
