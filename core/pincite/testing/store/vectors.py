"""The contract of stores: vectors are kept by text and model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.testing.samples import TrigramEmbedder, embed_all, put
from pincite.testing.store.base import MODEL, StoreBase
from pincite.values.library import Attachment, Item, Record
from pincite.values.search import Op


class VectorTests(StoreBase):
    """Vectors that are awaited, put and given."""

    def test_vectors_are_kept_by_text_as_they_were_put(self, filled: Any, index: Path) -> None:
        embedder = TrigramEmbedder()
        pending = filled.pending(MODEL)
        pairs = filled.embed_texts(pending)
        self.must(len(pairs) == len(pending) > 0, "does not give each text that waits for a vector")
        last = filled.last_change()
        embed_all(filled, embedder)
        self.must(len(filled.pending(MODEL)) == 0, "waits for vectors that it was given")
        have, want = filled.coverage(MODEL)
        self.must(have == want > 0, f"says that {have} of {want} have vectors, of all")
        told = {change.row for change in filled.changes(last) if change.op is Op.VECTOR}
        rows, vectors = filled.vectors(MODEL, filled.all_rows())
        self.must(told == set(rows.tolist()) and len(rows) == have, "does not tell each row that it has a vector")
        texts = dict(
            zip([key for key, _ in pairs], embedder.embed([text for _, text in pairs], "passage"), strict=True)
        )
        for row, vector in zip(rows, vectors, strict=True):
            ((key, _),) = filled.embed_texts([row])
            self.must(
                np.abs(vector.astype(np.float32) - texts[key]).max() < 2e-3,
                f"gives row {row} another vector than its text has",
            )
        self.must(
            vectors.dtype == np.float16 and rows.tolist() == sorted(rows.tolist()),
            "does not give float16 vectors by row",
        )
        filled.close()
        again = self.opened(index)
        self.must(np.array_equal(again.vectors(MODEL, again.all_rows())[1], vectors), "loses vectors when it is closed")
        again.close()

    def test_a_text_seen_before_has_its_vector_at_once(self, filled: Any) -> None:
        embed_all(filled, TrigramEmbedder())
        same = Record(
            Item("copy", title="A copy"), attachments=(Attachment("copy-f", text="The holdfast grips the rock."),)
        )
        put(filled, same)
        row = filled.find_chunk("copy-f#0")
        self.must(
            filled.vectors(MODEL, np.array([row]))[0].tolist() == [row], "embeds a text again that it has the vector of"
        )

    def test_models_do_not_mix(self, filled: Any) -> None:
        embed_all(filled, TrigramEmbedder())
        other = TrigramEmbedder(16)
        self.must(len(filled.vectors(other.facts.id, filled.all_rows())[0]) == 0, "gives vectors of another model")
        embed_all(filled, other)
        self.must(
            filled.vectors(other.facts.id, filled.all_rows())[1].shape[1] == 16, "mixes the vectors of two models"
        )
        self.must(filled.vectors(MODEL, filled.all_rows())[1].shape[1] == 32, "mixes the vectors of two models")

    @pytest.mark.parametrize("fault", ["count", "width", "nan"])
    def test_wrong_vectors_are_refused_and_nothing_is_written(self, filled: Any, fault: str) -> None:
        embedder = TrigramEmbedder()
        keys = [key for key, _ in filled.embed_texts(filled.pending(MODEL))]
        good = embedder.embed(["x"] * len(keys), "passage")
        filled.put_vectors(MODEL, keys[:1], good[:1])
        last = filled.last_change()
        bad = {"count": good[:-1], "width": good[:, :-1], "nan": good * np.float32(np.nan)}[fault]
        with self.raises(Exception, message=f"vectors of a wrong {fault} must be refused"):
            filled.put_vectors(MODEL, keys, bad)
        self.must(
            filled.last_change() == last and filled.coverage(MODEL)[0] >= 1,
            "writes some of the vectors that it refuses",
        )
