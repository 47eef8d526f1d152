"""A stretch of a document on a screen."""

import pytest

from pincite.text.readable import readable, visible


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
        ("خانه\u200cهای گرم", "خانه\u200cهای گرم"),
        ("क्\u200dष", "क्\u200dष"),
        ("co\u2060operate, \u202ereversed\u202c", "cooperate, reversed"),
        ("👩\u200d👧 and ❤\ufe0f\u200d🔥", "👩👧 and ❤\ufe0f🔥"),
        ("", ""),
    ],
)
def test_it_is_one_line_of_whole_words(text, shown):
    assert readable(text) == shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/papers/\x1b[31mred.pdf", "/papers/\\x1b[31mred.pdf"),
        ("two\nlines.md", "two\\nlines.md"),
        ("a\u202egnp.exe \x9b", "a\\u202egnp.exe \\x9b"),
        ("Grüße, خانه\u200cها 👩\u200d👧", "Grüße, خانه\u200cها 👩\u200d👧"),
    ],
)
def test_a_name_commands_no_terminal_and_is_otherwise_unaltered(line, shown):
    assert visible(line) == shown
