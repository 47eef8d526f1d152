"""Markdown → pack."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import Unreadable
from pincite.values.pack import Flow
from pincite_plugins.extractors.markdown.extractor import MarkdownExtractor, pack_of

WHITE = str.maketrans("\n\r\t\f", "    ")


def shown(source):
    pack = pack_of(source)
    return [(block.kind.value, pack.text[block.start : block.end]) for block in pack.blocks]


def words(source):
    return pack_of(source).text


def check_runs(source):
    pack = pack_of(source)
    for run in pack.runs:
        here = pack.text[run.start : run.end].translate(WHITE)
        assert here == source[run.offset : run.offset + run.end - run.start].translate(WHITE)
    return pack


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The *shore* crab **waits** ***long***.", "The shore crab waits long."),
        ("The _shore_ crab, __waiting__.", "The shore crab, waiting."),
        ("snake_case_names and 2 * 3 * 4 stay", "snake_case_names and 2 * 3 * 4 stay"),
        ("~~dry~~ and ==wet==", "dry and wet"),
        ("Run `tide --low` now", "Run tide --low now"),
        ("``a ` b``", "a ` b"),
        ("[the map](https://x.example/a_(b) 'Map') here", "the map here"),
        ("[the map][m] here", "the map here"),
        ("[**bold** link](x)", "bold link"),
        ("A note[^1] here", "A note here"),
        ("[[Tide tables]] and [[Tide tables#June|June]]", "Tide tables and June"),
        ("The tide turns. ^tide-1", "The tide turns."),
        ("The tide\nturns. ^tide-1\nIt is x ^2 high, 2^10.", "The tide turns. It is x ^2 high, 2^10."),
        ("<https://x.example> and <b>bold</b><br>new", "https://x.example and bold\nnew"),
        (r"\*not emphasis\* and \[this\]", "*not emphasis* and [this]"),
        ("R&amp;D &copy; 5&nbsp;m", "R&D © 5\xa0m"),
        (r"Where $\nabla \cdot u = 0$ holds", r"Where \nabla \cdot u = 0 holds"),
        ("It cost $5 and then $6 more", "It cost $5 and then $6 more"),
        ("text <!-- hidden --> goes on", "text goes on"),
        ("two  \nlines", "two\nlines"),
        ("潮が**満ちる**と", "潮が満ちると"),
        ("See [@noor2011, p. 3].", "See [@noor2011, p. 3]."),
        ("![A crab at night](crab.png) in text", "A crab at night in text"),
    ],
)
def test_marks_are_taken_off_and_words_stay(source, text):
    assert words(source) == text
    check_runs(source)


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("# Tides #\n\nText.", [("heading", "Tides"), ("paragraph", "Text.")]),
        ("Tides\n=====\nText\n\nEbb\n---\n", [("heading", "Tides"), ("paragraph", "Text"), ("heading", "Ebb")]),
        ("# The *low* tide {#low .x}", [("heading", "The low tide")]),
        (
            "- a net\n- a lamp\n  with oil\n\n  and more",
            [("list", p) for p in ("a net", "a lamp with oil", "and more")],
        ),
        ("1. one\n   - in one\n2. two", [("list", p) for p in ("one", "in one", "two")]),
        ("- [ ] to do\n- [x] done", [("list", "to do"), ("list", "done")]),
        ("> they wait\nlazily\n\nText", [("blockquote", "they wait lazily"), ("paragraph", "Text")]),
        ("> [!warning] Mind\n> the tide", [("blockquote", "Mind the tide")]),
        ("```py\ndef a():\n    b\n```\nText", [("preformatted", "def a():\n    b"), ("paragraph", "Text")]),
        ("~~~\nnever closed\n", [("preformatted", "never closed")]),
        ("    indented code\n\nText", [("preformatted", "    indented code"), ("paragraph", "Text")]),
        ("$$\nE = m\n$$", [("math", "E = m")]),
        ("$$ a^2 $$", [("math", "a^2")]),
        ("|Site|Days|\n|--|--:|\n|Cove|11|\n|`a|b`| x\\|y |", [("table", "Site\tDays\nCove\t11\na|b\tx|y")]),
        ("Text\n\n---\n\nMore", [("paragraph", "Text"), ("paragraph", "More")]),
        ("[^n]: A note\n    goes on.\n\nText", [("note", "A note goes on."), ("paragraph", "Text")]),
        ("[m]: https://x.example 'T'\n\nText", [("paragraph", "Text")]),
        ("![A crab](crab.png)\n", [("caption", "A crab")]),
        ("<div class=x>\nText &lt; here\n</div>", [("paragraph", "Text < here")]),
        ("<!--\nhidden\n-->\nText", [("paragraph", "Text")]),
        ("<style>\np {}\n</style>\nText", [("paragraph", "Text")]),
        ("::: {.note}\nText\n:::", [("paragraph", "Text")]),
        ("#hashtag is no heading", [("paragraph", "#hashtag is no heading")]),
        ("Text\r\n\r\n# Ebb\r\nMore\r\n", [("paragraph", "Text"), ("heading", "Ebb"), ("paragraph", "More")]),
    ],
)
def test_blocks(source, blocks):
    assert shown(source) == blocks
    check_runs(source)


def test_sections_follow_the_levels_of_headings():
    pack = pack_of("# A\n\na\n\n## B\n\nb\n\n# C\n\nc")
    assert [pack.section_path(block.section) for block in pack.blocks if block.kind.value == "paragraph"] == [
        ("A",),
        ("A", "B"),
        ("C",),
    ]


def test_notes_and_captions_stand_apart():
    pack = pack_of("Text[^1]\n\n![A crab](c.png)\n\n[^1]: A note.")
    assert [block.flow for block in pack.blocks] == [Flow.BODY, Flow.AUXILIARY, Flow.AUXILIARY]


def test_the_head_of_a_file_is_metadata_and_no_text():
    source = (
        '---\ntitle: "The Tidal: Clock"\nauthor:\n  - Amina Noor\n  - name: Kenji Ito\ndate: 2011-04-02\n'
        "tags: [crabs, tides]\nlang: en-GB\ndoi: https://doi.org/10.1234/ABC.5\nabstract: |\n  We watch *crabs*.\n---\n\nText"
    )
    pack = check_runs(source)
    assert pack.metadata["title"] == "The Tidal: Clock"
    assert pack.metadata["author"] == "Amina Noor; Kenji Ito"
    assert (pack.metadata["year"], pack.metadata["language"]) == ("2011", "en")
    assert (pack.metadata["keywords"], pack.metadata["doi"]) == ("crabs; tides", "10.1234/abc.5")
    assert [(pack.text[b.start : b.end], b.role) for b in pack.blocks] == [
        ("We watch crabs.", "abstract"),
        ("Text", ""),
    ]


def test_other_heads():
    assert pack_of("% The Clock\n% Amina Noor\n% 2011\n\nText").metadata["author"] == "Amina Noor"
    assert pack_of('+++\ntitle = "The Clock"\n+++\nText').metadata["title"] == "The Clock"
    assert words("---\njust a rule above\n") == "just a rule above"


def test_the_first_heading_is_the_title_where_the_head_has_none():
    pack = pack_of("# The Clock\n\nText")
    assert pack.metadata["title"] == "The Clock"
    assert pack.blocks[0].role == "title"


def test_an_empty_file_is_said_so(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("---\ntitle: Nothing\n---\n")
    with pytest.raises(Unreadable) as caught:
        MarkdownExtractor().extract(path)
    assert caught.value.verdict == "no-text"


ALPHABET = st.sampled_from([*"ab 1.-*_`[]()<>!#|$~=:\\&;{}^%\"'\n\t潮", "\n\n", "\r\n", "    ", "```", "[^1]: ", "> "])


@settings(max_examples=300)
@given(st.lists(ALPHABET, max_size=60).map("".join))
def test_any_text_is_taken_and_runs_are_exact(source):
    check_runs(source)


def test_hostile_input_takes_no_time():
    for source in (
        "[" * 20_000,
        "*a " * 20_000,
        "> " * 5_000 + "x",
        "`" * 20_000,
        "<" * 20_000,
        "- " * 3_000,
        "$a" * 9_999,
    ):
        pack_of(source)
