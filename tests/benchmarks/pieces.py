"""A study of finer vectors: passages by their own vector and by that of their best piece (whole sentences of up to SIZE tokens, under the title).

    python tests/benchmarks/pieces.py --keep FOLDER [--size 64] COLLECTION[:N] …

Collections, and FOLDER, are those of `neighbours.py`; the vectors of pieces are made once and kept there, too, which takes as long as embedding the collection.
A passage of one piece has no vector but its own. Each row is nDCG@10 a collection and language, then the mean gain over whole passages, and the worst. `mean`:
that of its pieces stands for the passage, which then need not be embedded besides them.
"""

import argparse
from pathlib import Path

import numpy as np
from fusion import above
from neighbours import AllScored, kept_of, row, standing

import pincite
from pincite.calibration.calibration import COMMON
from pincite.text.sentences import sentences

WEIGHTS = (0.3, 0.5, 0.7, 1.0)
"""Of the best piece; the rest is the passage's."""

TITLE = 160
"""Characters of a title above a piece."""


def grouped(texts: list[str], sizes: list[int], most: int) -> list[str]:
    """Sentences put together as long as they come to at most `most` tokens."""
    groups: list[list[str]] = []
    filled = 0
    for text, size in zip(texts, sizes, strict=True):
        if not groups or filled + size > most:
            groups.append([])
            filled = 0
        groups[-1].append(text)
        filled += size
    return [" ".join(group) for group in groups]


def pieces_of(folder: Path, most: int) -> dict[str, np.ndarray]:
    """`of`: which vector of `ask` a piece belongs to, rising; `vectors`: of the pieces."""
    with pincite.open(str(folder), engine="hybrid") as library:
        store, embedder = library.store, library.embedder
        rows, own = store.vectors(embedder.facts.id, store.all_rows())
        texts, chunks = store.texts(rows.tolist()), store.chunks(rows.tolist())
        records = store.records({chunk.item for chunk in chunks.values()})
        of, pieces = [], []
        for at, number in enumerate(rows.tolist()):
            text = texts.get(number, "")
            parts = [text[start:end] for start, end in sentences(text)]
            groups = grouped(parts, embedder.count(parts), most)
            title = records[chunks[number].item].item.title[:TITLE]
            of += [at] * max(1, len(groups))
            pieces += [f"{title}\n\n{group}" for group in groups] if len(groups) > 1 else [""]
        vectors = own[of].astype(np.float16)
        several = [number for number, piece in enumerate(pieces) if piece]
        vectors[several] = embedder.embed([pieces[number] for number in several], "passage")
    return {"of": np.array(of), "vectors": vectors}


class Pieced(AllScored):
    """A collection with the vectors of its pieces."""

    def __init__(self, name: str, kept: dict[str, np.ndarray], pieces: dict[str, np.ndarray]) -> None:
        super().__init__(name, kept)
        self.order = np.argsort(kept["vector_items"], kind="stable")
        self.starts = np.unique(pieces["of"], return_index=True)[1]
        self.pieces = pieces["vectors"].astype(np.float32)
        self.means = np.add.reduceat(self.pieces, self.starts)
        self.means /= np.linalg.norm(self.means, axis=1, keepdims=True)

    def scores(self, weight: float, mean: bool) -> tuple[np.ndarray, np.ndarray]:
        """Scores of items by meaning, and the same with the list by words."""
        aimed = self.query - COMMON * self.mean
        best = np.maximum.reduceat(aimed @ self.pieces.T, self.starts, axis=1)
        whole = aimed @ (self.means[self.order] if mean else self.vectors).T
        found = (1 - weight) * whole + weight * best[:, self.order]
        scores = np.full(self.words.shape, -np.inf, np.float32)
        scores[:, self.known] = np.maximum.reduceat(found, self.first, axis=1)
        return scores, self.by_words + above(standing(found, scores))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--keep", type=Path, required=True)
    arguments.add_argument("--size", type=int, default=64)
    arguments.add_argument("collections", nargs="+")
    chosen = arguments.parse_args()
    collections = []
    for given in chosen.collections:
        name, path, kept = kept_of(chosen.keep, given)
        pieces = chosen.keep / f"{name}-{chosen.size}.npz"
        if not pieces.exists():
            np.savez(pieces, **pieces_of(path, chosen.size))
        collections.append(Pieced(name, dict(np.load(kept)), dict(np.load(pieces))))
    print(" " * 28 + " ".join(f"{name[-6:]:>6}" for one in collections for name in one.ndcg(one.words)))
    for at, kind in enumerate(("meaning", "both")):
        base: dict[str, float] = {}
        for mean, weight in [(False, 0.0), *((mean, weight) for mean in (False, True) for weight in WEIGHTS)]:
            found = {key: value for one in collections for key, value in one.ndcg(one.scores(weight, mean)[at]).items()}
            base = base or found
            row(f"{kind}, pieces {weight}{', mean' * mean}", found, base)


if __name__ == "__main__":
    main()
