"""Sentences of real two-column papers that cross a column or page break (specs/30-locating.md); tests/benchmarks/quotes.py has all of them."""

import pytest

from crossings import crossings
from pdf_pages import extract
from pincite.locating.match import Quotation, places_in
from pincite.locating.texts import readings_of

pytestmark = pytest.mark.corpora

PAPERS = {"naacl06-shinyama": 5, "sp-bunescu-acl07": 5, "sp-mono04": 4, "pm-box-diff-page": 5, "plumber-art-in-ml": 3}
"""Paper → how many crossings there are at least."""


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sentence_across_a_break_is_one_span(corpora, paper):
    path = corpora / "docs" / "papers" / f"{paper}.pdf"
    wanted = crossings(path)
    assert len(wanted) >= PAPERS[paper]
    pack = extract(path)
    readings = readings_of(pack.text, pack)
    parted = []
    for one in wanted:
        places = places_in(readings, Quotation(one.quote))
        if len(places) != 1 or len(places[0]) != 1:
            parted.append(one)
    assert parted == []
