"""The parser on any input."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.metadata.bibtex.entries import evaluate, parse

PIECES = st.sampled_from(
    [
        "@book",
        "@article",
        "@string",
        "@comment",
        "{",
        "}",
        "(",
        ")",
        '"',
        ",",
        "=",
        "#",
        "\n",
        "\\",
        "%",
        " ",
        "key",
        "title",
        "é",
        "@",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_nothing_raises_and_every_entry_has_its_line(text: str) -> None:
    parsed = parse(text)
    lines = text.count("\n") + 1
    for entry in parsed.entries:
        assert 1 <= entry.line <= lines
    for fault in parsed.faults:
        assert 1 <= fault.line <= lines


@given(st.text(alphabet='{}"#\\ab 1', max_size=20))
def test_any_value_can_be_evaluated(raw: str) -> None:
    evaluate(raw, {"ab": "x"})


def test_parentheses_delimit_as_well_as_braces() -> None:
    (entry,) = parse('@book(a, title = "Lime (and loam)")').entries
    assert entry.fields == {"title": "Lime (and loam)"}


def test_at_signs_inside_values_begin_nothing() -> None:
    (entry,) = parse(
        "@article{a, journal = {Language@Internet}, abstract = {Write to ada @ {home}, or\n@ada.}}"
    ).entries
    assert entry.fields["journal"] == "Language@Internet"
