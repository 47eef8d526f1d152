"""What is passed over, and what is not (specs/30-locating.md)."""

import pytest

from pincite.locating.aside import aside_in, line_numbers

LINE = "the ropes were tarred again before winter came"


def dropped(text, found=aside_in):
    return [text[start:end].strip() for start, end in found(text)]


def test_numbers_that_count_lines_are_told_from_others():
    text = "\n".join(f"{248 + at} {LINE} {1900 + 3 * at}" for at in range(6))
    assert dropped(text, line_numbers) == [str(248 + at) for at in range(6)]


@pytest.mark.parametrize(
    "text",
    [
        "in 1998, 1999 and 2000 the weir was shut",
        f"1957 {LINE} 1958 {LINE} 1959 {LINE}",
        f"7 {LINE} 9 {LINE} 8 {LINE}",
        f"12 {LINE} 13 {LINE}",
        "gene10 and gene11 were silent",
        "Fig.3 shows 4.5 of 17 posts",
        "a range of 3–5 metres",
    ],
)
def test_other_numbers_stay(text):
    assert dropped(text) == []


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("the chain47,50–53 folds", ["47,50–53"]),
        ("the chain folds.12 Later", ["12"]),
        ("the chain⁴⁷,⁵⁰ folds", ["⁴⁷,⁵⁰"]),
        ("the chain [4, 7-9] folds", ["[4, 7-9]"]),
        ("the chain<sup>3</sup> folds", ["<sup>3</sup>"]),
        ("the chain$^{3}$ folds", ["$^{3}$"]),
        (
            "harbour1 lantern2 stones3 willow4 mirror5 of gene10",
            ["1", "2", "3", "4", "5"],
        ),
    ],
)
def test_citations_go(text, gone):
    assert dropped(text) == gone
