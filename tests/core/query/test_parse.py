"""What a query is read as (specs/06-query.md), beyond the cases of the conformance table."""

from __future__ import annotations

from pincite.query import parse


def test_a_pasted_book_is_read_no_further_than_its_beginning():
    assert [term.text for term in parse("tide " * 2_000 + "kelp").terms if not term.parts] == ["tide"]
