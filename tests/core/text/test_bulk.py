"""Texts folded as one are what each of them is folded by itself (specs/14-text.md)."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.text.bulk import folded_as_one
from pincite.text.segments import text_of
from pincite.text.tokens import folded

PIECES = ["The Tide", "STRASSE", "straße", "e\u0301", "<i>", "</sub>", "＜b＞", "< 5", "\\alpha", "\\'e", "ebb-\nflow", "ebb–\nflow", "ebb-\u00a0\r\nflow",
          "ebb\u00ad\nflow", "ebb-</i>\nflow", "\u2028", "\x00", "\x85", "ﬁn", "…", "ㄱㅏ", "\u1100\u1161", "क\u093f", "潮汐", "Ⅱ", "-", "\n", "\t", "ς", "İ"]  # fmt: skip

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.text(st.characters(codec="ascii"), max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
)


@given(st.lists(texts, max_size=6))
@example(["ebb-", "flow", "ebb-\nflow", ""])
@example(["a <", "i>", "a\\", ""])
def test_each_text_folds_as_by_itself(given):
    codes, until, halves = folded_as_one(given)
    assert len(until) == len(given)
    found = [text_of(part)[:-1] for part in np.split(codes, until)[:-1]]
    assert [(text, list(halves.get(at, ()))) for at, text in enumerate(found)] == [
        (text, list(broken)) for text, broken in map(folded, given)
    ]
