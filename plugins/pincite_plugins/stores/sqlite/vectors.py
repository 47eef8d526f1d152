"""Raw vectors, kept by the hash of the text that was embedded: a text seen before, in any document, costs nothing."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite.values.search import Op, Rows
from pincite_plugins.stores.sqlite.part import Part


class VectorsPart(Part):
    """float16 unit vectors with a CRC each."""

    def vectors(self, model: str, rows: Rows) -> tuple[Rows, npt.NDArray[np.float16]]:
        """The rows that have a vector of this model, sorted, and the vectors (n, width). One that is damaged counts as missing."""
        number, width = self._model(model)
        if number is None:
            return np.zeros(0, np.int64), np.zeros((0, 0), np.float16)
        # CROSS JOIN: the chunks first; by itself SQLite reads every vector of the model to find a few
        joined = f"vector v ON v.model = {int(number)} AND v.key = c.embed_key"
        sql = f"SELECT c.row, v.data FROM chunk c CROSS JOIN {joined} WHERE c.row IN ({{}})"
        found = []
        for row, data in self.rows_in(sql, map(int, rows)):
            if is_sound(data, width):
                found.append((row, data))
            else:
                self._suspect(f"vector of row {row}")
        found.sort(key=lambda pair: pair[0])
        out = np.empty((len(found), width), np.float16)
        for at, (_, data) in enumerate(found):
            out[at] = np.frombuffer(data, "<f2", width)
        return np.array([row for row, _ in found], np.int64), out

    def pending(self, model: str) -> Rows:
        """One row for each text without a vector of this model: item text, notes and annotations first, then small attachments."""
        number, _ = self._model(model)
        sql = """
            SELECT min(c.row), coalesce(k.what = 'attachment', 0) AS late, coalesce(f.letters, 0) AS size
            FROM chunk c LEFT JOIN child k ON k.row = c.child LEFT JOIN file f ON f.child = c.child
            WHERE c.embed_key IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.model = ? AND v.key = c.embed_key)
            GROUP BY c.embed_key ORDER BY late, CASE WHEN late THEN size ELSE 0 END, 1
        """
        return np.fromiter(
            (row for row, _, _ in self.db.execute(sql, (-1 if number is None else number,))), dtype=np.int64
        )

    def coverage(self, model: str) -> tuple[int, int]:
        """(chunk rows that have a vector of this model, chunk rows that want one)."""
        number, _ = self._model(model)
        sql = """SELECT count(v.key), count(*) FROM chunk c LEFT JOIN vector v ON v.model = ? AND v.key = c.embed_key
                 WHERE c.embed_key IS NOT NULL"""
        have, want = next(iter(self.db.execute(sql, (-1 if number is None else number,))))
        return int(have), int(want)

    def put_vectors(self, model: str, keys: Sequence[bytes], vectors: npt.NDArray[np.float32]) -> None:
        """Keeps vectors; every chunk with one of these texts is told to the rankers. One transaction."""
        if len(keys) != len(vectors):
            raise ValueError(f"{len(keys)} keys but {len(vectors)} vectors")
        if not np.isfinite(vectors).all():
            raise ValueError("a vector is not finite")
        halves = np.ascontiguousarray(vectors, dtype="<f2")
        with self.transaction():
            number, width = self._model(model)
            if number is None:
                self.db.execute("INSERT INTO model (name, width) VALUES (?, ?)", (model, vectors.shape[1]))
                number, width = self.db.last_insert_rowid(), vectors.shape[1]
            if vectors.shape[1] != width:
                raise ValueError(f"vectors are {vectors.shape[1]} wide, those of {model} are {width}")
            rows = ((number, key, _with_crc(half.tobytes())) for key, half in zip(keys, halves, strict=True))
            self.db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)
            self.db.executemany(
                f"INSERT INTO change (op, row) SELECT '{Op.VECTOR}', row FROM chunk WHERE embed_key = ? ORDER BY row",
                ((key,) for key in keys),
            )

    def _model(self, name: str) -> tuple[int | None, int]:
        for number, width in self.db.execute("SELECT id, width FROM model WHERE name = ?", (name,)):
            return number, width
        return None, 0


def _with_crc(data: bytes) -> bytes:
    return data + zlib.crc32(data).to_bytes(4, "little")


def is_sound(data: bytes, width: int) -> bool:
    """Whether a stored vector has its length and its checksum."""
    return len(data) == 2 * width + 4 and zlib.crc32(data[:-4]).to_bytes(4, "little") == data[-4:]
