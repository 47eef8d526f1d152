"""The exact scan of int8 codes beside its peers, and beside reading the same bytes.

    python tests/benchmarks/vectors.py [ROWS]        (default 1,000,000; needs about 3 GB at that)

One query, the best 100, at widths 256 and 384, each way in turn and the least of several times, so that all meet the same machine. `read` is
numpy's ``view(uint64).max()`` over the codes on one thread. Peers that are not installed are left out: faiss-cpu, usearch, sqlite-vec.
"""

import sys
import time
from collections.abc import Callable

import apsw
import numpy as np

from pincite_plugins.rankers.vector.codes import _dots_numpy, dots

TOP = 100
TIMES = 9


def best(scores: np.ndarray) -> np.ndarray:
    worst = np.partition(scores, len(scores) - TOP)[len(scores) - TOP]
    kept = np.flatnonzero(scores >= worst)
    return kept[np.argsort(-scores[kept], kind="stable")][:TOP]


def ways(codes: np.ndarray, query: np.ndarray) -> dict[str, Callable[[], object]]:
    found: dict[str, Callable[[], object]] = {
        "read": lambda: codes.view(np.uint64).max(),
        "pincite": lambda: best(dots(codes, query)),
        "numpy, blocks of 1,024": lambda: best(_dots_numpy(codes, query)),
    }
    width = codes.shape[1]
    try:
        import faiss

        faiss.omp_set_num_threads(1)
        index = faiss.IndexScalarQuantizer(
            width, faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
        )
        for at in range(0, len(codes), 100_000):
            index.add(codes[at : at + 100_000].astype(np.float32))
        wide = query[None, :].astype(np.float32)
        found["faiss, 8-bit direct"] = lambda: index.search(wide, TOP)
    except ImportError:
        pass
    try:
        from usearch.index import MetricKind, search

        found["usearch, exact"] = lambda: search(codes, query, TOP, MetricKind.IP, exact=True, threads=1)
    except ImportError:
        pass
    try:
        import sqlite_vec

        connection = apsw.Connection(":memory:")
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.execute(f"CREATE VIRTUAL TABLE v USING vec0(code int8[{width}] distance_metric=cosine)")
        rows = ((code.tobytes(),) for code in codes)
        connection.executemany("INSERT INTO v(code) VALUES (vec_int8(?))", rows)
        ask = "SELECT rowid FROM v WHERE code MATCH vec_int8(?) AND k = ?"
        found["sqlite-vec"] = lambda: connection.execute(ask, (query.tobytes(), TOP)).fetchall()
    except (ImportError, apsw.Error):
        pass
    return found


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(1)
    for width in (256, 384):
        codes = np.empty((count, width), np.int8)
        for at in range(0, count, 100_000):
            part = codes[at : at + 100_000]
            part[:] = rng.integers(-127, 128, part.shape, dtype=np.int8)
        query = rng.integers(-127, 128, width, dtype=np.int8)
        every = ways(codes, query)
        assert (np.sort(every["pincite"]()) == np.sort(every["numpy, blocks of 1,024"]())).all()
        took = {name: float("inf") for name in every}
        for _ in range(TIMES):
            for name, way in every.items():
                began = time.perf_counter()
                way()
                took[name] = min(took[name], time.perf_counter() - began)
        print(f"{count:,} rows, {width} wide, best {TOP}")
        for name, seconds in took.items():
            print(f"  {name:24} {seconds * 1e3:8.1f} ms  {seconds / took['read']:5.2f} x reading")


if __name__ == "__main__":
    main()
