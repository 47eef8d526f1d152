"""Queries as they are read (specs/06-query.md): every case of conformance/queries.toml, and laws for any text."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.query import parse
from pincite.values.query import Term, TermKind

CASES = tomllib.loads((Path(__file__).parents[2] / "conformance" / "queries.toml").read_text("utf-8"))["case"]


def shown(term: Term) -> str:
    flags = "P" * term.prefix + "E" * term.exact + "Q" * term.quoted
    return f"{term.kind.value}:{term.text}" + (f" {flags}" if flags else "")


def is_pair(term: Term) -> bool:
    return term.kind is TermKind.PHRASE and not term.quoted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case):
    query = parse(case["query"])
    by_text = {term.text: term for term in query.terms if not is_pair(term)}
    if "terms" in case:
        assert [shown(term) for term in query.terms if not is_pair(term)] == case["terms"]
    if "pairs" in case:
        assert [term.text for term in query.terms if is_pair(term)] == case["pairs"]
    for text, parts in case.get("parts", {}).items():
        assert list(by_text[text].parts) == parts
    for text, count in case.get("counts", {}).items():
        assert by_text[text].count == count
    if "excluded" in case:
        assert [shown(term) for term in query.excluded] == case["excluded"]
    if "years" in case:
        assert [year for year in query.filter.years if year is not None] == case["years"]
    for name, values in case.get("filter", {}).items():
        assert getattr(query.filter, name) == frozenset(values)
    if "identifier" in case:
        assert list(query.identifier or ()) == case["identifier"]
    if "semantic" in case:
        assert query.semantic == case["semantic"]
    for line in case.get("understood", []):
        assert line in query.understood


@given(st.text())
def test_any_text_is_a_query_without_syntax(text):
    for term in (*parse(text).terms, *parse(text).excluded):
        for token in (term.text, *term.parts):
            assert token
            assert '"' not in token
            assert "\x00" not in token
        assert all(" " not in part for part in term.parts)


def test_terms_of_scripts_without_spaces_never_mix_with_words():
    for term in parse("海岸wetland湿地 mud泥").terms:
        spaceless = any("\u4e00" <= char <= "\u9fff" for char in term.text)
        assert spaceless == (term.kind is TermKind.CJK)
