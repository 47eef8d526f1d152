"""Entries of bibliographies, and prose that is none."""

from __future__ import annotations

import pytest

from pincite.markup.references import is_bibliography, looks_like_entry

ENTRIES = [
    "[12] A. Noor and K. Ito. Rhythms of the upper shore. Journal of Tides, 4(2):11–19, 2011.",
    "Noor, A., & Ito, K. (2013). Clocks of crabs. Marine Notes, 9, 100–110. https://doi.org/10.1234/abc.5",
    "Noor AB, Ito K. Still water. Tidal Lett. 2009;12(3):45-9.",
    "Brandt, Ida: Gezeiten. 2. Aufl. Berlin: Küstenverlag 1998, S. 14-22.",
    "[3] 张三, 李四. 潮汐与螃蟹的节律[J]. 海洋学报, 2010, 12(3): 45-52.",
    "Ito, Kenji. Ebb. PhD thesis, University of the Shore, 2004.",
]
PROSE = [
    "In 2011 the pool was dry for eleven days, and no crab came out before the autumn storms had filled it.",
    "We counted them twice (see Table 2), once at noon and once at night.",
    "The station was built in 1998.",
    "They feed at high water.",
    "",
]


@pytest.mark.parametrize("text", ENTRIES)
def test_entries_are_known(text):
    assert looks_like_entry(text)


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_not_taken_for_one(text):
    assert not looks_like_entry(text)


def test_below_a_heading_a_few_odd_entries_do_no_harm():
    assert is_bibliography([*ENTRIES[:3], "Anonymous pamphlet on crabs", "Letters of the warden"], titled=True)


def test_a_chapter_on_the_literature_is_text():
    assert not is_bibliography([PROSE[0] * 5, PROSE[1] * 5], titled=True)


def test_without_a_heading_three_entries_are_needed():
    assert is_bibliography(ENTRIES[:3], titled=False)
    assert not is_bibliography(ENTRIES[:2], titled=False)
    assert not is_bibliography([*ENTRIES[:2], *PROSE[:3]], titled=False)
