"""A stretch of a document on a screen."""

import pytest

from pincite.text.readable import readable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a typi-\ncal case", "a typical case"),
        ("the Navier-\nStokes equation", "the Navier-Stokes equation"),
        ("well-known\nfacts", "well-known facts"),
        ("in 1914-\n1918", "in 1914- 1918"),
        ("e\ufb03cient di\ufb00usion", "efficient diffusion"),
        ("co\u00adoperate, soft\u00ad\nened", "cooperate, softened"),
        ("  two\t\tspaces \n", " two spaces "),
        ("bell\x07 and \x1b[31mred", "bell and  [31mred".replace("  ", " ")),
        ("Größen-\nordnung", "Größenordnung"),
        ("漢字\nかな", "漢字 かな"),
        ("", ""),
    ],
)
def test_it_is_one_line_of_whole_words(text, shown):
    assert readable(text) == shown
