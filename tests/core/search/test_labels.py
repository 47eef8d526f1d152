"""Labels that a question asks for (specs/24-citing.md is of places; this is of what is shown: specs/10-search-json.md)."""

import pytest

from pincite.search.labels import EXACT, NEAR, SAID, Label, caption_of, gain, labels_in
from pincite.values.search import ChunkKind


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("what does Fig. 3 say", Label("figure", "", "3")),
        ("Table S2", Label("table", "S", "2")),
        ("图3", Label("figure", "", "3")),
        ("如图3所示", Label("figure", "", "3")),
        ("siehe Abb. 12a", Label("figure", "", "12")),
        ("Table 2.1", Label("table", "", "2.1")),
        ("рисунок 4", Label("figure", "", "4")),
    ],
)
def test_a_label_is_read_in_many_spellings(text, label):
    assert labels_in(text) == [label]


@pytest.mark.parametrize("text", ["config 3", "figures of speech", "stable 2", "tables turned", ""])
def test_a_word_that_only_looks_like_one_is_none(text):
    assert labels_in(text) == []


def test_a_caption_begins_with_its_label():
    assert caption_of("Supplementary Figure S4: Kelp at dusk") == Label("figure", "S", "4")
    assert caption_of("As Figure 4 shows, kelp sways") is None


def test_the_exact_caption_gains_most_then_a_mention_then_the_neighbour():
    wanted = labels_in("Fig. 3")
    gains = [
        gain(wanted, "Figure 3: Kelp", ChunkKind.CAPTION),
        gain(wanted, "In Fig. 3 the kelp sways", ChunkKind.BODY),
        gain(wanted, "Figure 4: Urchins", ChunkKind.CAPTION),
        gain(wanted, "Figure 9: Otters", ChunkKind.CAPTION),
        gain(wanted, "Table 3: Otters", ChunkKind.CAPTION),
    ]
    assert gains == [EXACT, SAID, NEAR, 0.0, 0.0]
    assert gains == sorted(gains, reverse=True)


def test_another_series_is_another_figure():
    assert gain(labels_in("Table S2"), "Table 2: Plots", ChunkKind.CAPTION) == 0.0
