"""The two-stage scan of a large library beside the exact one: recall on real vectors, time on a million rows.

    python tests/benchmarks/two_stage.py INDEX.db ... [--rows 1000000]

INDEX.db are indexes with vectors of one model (`index.db` of PINCITE_HOME/indexes/NAME), or arrays of them (`.npy`); all their vectors together are the
library, but for 200 that ask.
Recall is that of the true best 100 among those whose sketches are nearest; also of one bit a dimension, as it is and turned by chance. The rows
of the second part are the real ones again and again, each with noise of its own, until there are enough: recall and time of both scans, one thread.
"""

import argparse
import tempfile
import time
from pathlib import Path

import apsw
import numpy as np

from pincite_plugins.rankers.vector.codes import dots, encode
from pincite_plugins.rankers.vector.sketch import LEAST, WIDTH, Sketches

TOP = 100
ASKING = 200
TIMES = 15
NOISE = 0.6


def stored(paths: list[str]) -> np.ndarray:
    """All distinct vectors of the first model, unit, in an order of chance."""
    found = set()
    for path in paths:
        if path.endswith(".npy"):
            found.update(row.tobytes() for row in np.load(path).astype("<f2"))
            continue
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        found.update(bytes(data[:-4]) for (data,) in connection.execute("SELECT data FROM vector WHERE model = 1"))
    vectors = np.stack([np.frombuffer(data, "<f2") for data in sorted(found)]).astype(np.float32)
    return np.random.default_rng(3).permutation(vectors)


def recall(true: np.ndarray, scores: np.ndarray, kept: int) -> float:
    survivors = np.argpartition(-scores, kept, axis=1)[:, :kept]
    return float(np.mean([np.isin(best, some).mean() for best, some in zip(true, survivors, strict=True)]))


def real(vectors: np.ndarray) -> None:
    asking, rows = vectors[:ASKING], vectors[ASKING:]
    true = np.argsort(-(asking @ rows.T), axis=1)[:, :TOP]
    mean = rows.mean(axis=0)
    rest = rows - mean
    basis = np.linalg.eigh(rest.T @ rest)[1][:, : -WIDTH - 1 : -1]
    turn = np.linalg.qr(np.random.default_rng(4).normal(size=(rows.shape[1],) * 2))[0]
    ways = {
        f"{WIDTH} directions": (asking @ basis) @ (rest @ basis).T,
        "1 bit": np.sign(asking - mean) @ np.sign(rest).T,
        "1 bit, turned": np.sign((asking - mean) @ turn) @ np.sign(rest @ turn).T,
    }
    shares = (0.02, 0.05, 0.1, 0.2)
    print(f"{len(rows):,} real vectors; recall@{TOP} where this share of them survives")
    print(f"  {'':16}" + "".join(f"{share:8.0%}" for share in shares))
    for name, scores in ways.items():
        print(f"  {name:16}" + "".join(f"{recall(true, scores, int(share * len(rows))):8.4f}" for share in shares))


def large(vectors: np.ndarray, count: int) -> None:
    rng = np.random.default_rng(5)
    asking, rows = vectors[:ASKING], vectors[ASKING:]
    width = rows.shape[1]
    spread = NOISE * (rows - rows.mean(axis=0)).std(axis=0)
    codes, scale = np.empty((count, width), np.int8), np.empty(count, np.float32)
    for at in range(0, count, len(rows)):
        part = slice(at, min(at + len(rows), count))
        noisy = rows[: part.stop - at] + rng.normal(size=(part.stop - at, width)).astype(np.float32) * spread
        codes[part], scale[part] = encode(noisy / np.linalg.norm(noisy, axis=1, keepdims=True), None)
    with tempfile.TemporaryDirectory() as folder:
        sketches = Sketches(Path(folder))
        began = time.perf_counter()
        sketches.catch_up(1, codes, scale)
        made = time.perf_counter() - began
        recalls, took = [], {"read": np.inf, "exact": np.inf, "two stages": np.inf}

        def exact(query: np.ndarray) -> np.ndarray:
            return best(dots(codes, query) * scale)

        def two_stages(query: np.ndarray) -> np.ndarray:
            kept = sketches._best(query.astype(np.float32), LEAST)
            return kept[best(dots(codes[kept], query) * scale[kept])]

        queries = encode(asking, None)[0]
        for query in queries[:TIMES]:
            for name, way in (
                ("read", lambda _: codes.view(np.uint64).max()),
                ("exact", exact),
                ("two stages", two_stages),
            ):
                began = time.perf_counter()
                way(query)
                took[name] = min(took[name], time.perf_counter() - began)
        recalls = [np.isin(exact(query), two_stages(query)).mean() for query in queries[:50]]
    print(
        f"{count:,} rows, {width} wide, {LEAST:,} survive; sketches made in {made:.1f} s; recall {np.mean(recalls):.4f}"
    )
    for name, seconds in took.items():
        print(f"  {name:12} {seconds * 1e3:7.1f} ms  {seconds / took['exact']:5.2f} x exact")


def best(scores: np.ndarray) -> np.ndarray:
    worst = np.partition(scores, len(scores) - TOP)[len(scores) - TOP]
    return np.flatnonzero(scores >= worst)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("index", nargs="+")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    chosen = arguments.parse_args()
    vectors = stored(chosen.index)
    real(vectors)
    large(vectors, chosen.rows)


if __name__ == "__main__":
    main()
