"""The line that is quoted of a passage (specs/19-sentences.md)."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import PluginError
from pincite.plugin.guard import guard
from pincite.query.parse import parse
from pincite.search.alike import distinct
from pincite.search.quote import LONGEST, ordered, quoted, windowed, worth_picking
from pincite.search.worth import Candidate
from pincite.values.search import Chunk, ChunkKind


def candidate(text, kind=ChunkKind.BODY):
    chunk = Chunk(1, "a#0", 1, "a", "a", kind, ((0, len(text)),), (), 1, "1", {}, "en")
    return Candidate(chunk, text, (), {}, 0.0, frozenset())


class Second:
    name = "second"

    def pick(self, query, text, sentences):
        return sentences[1] if len(sentences) > 1 else None


class Silent:
    name = "silent"

    def pick(self, query, text, sentences):
        return None


class Astray(Silent):
    name = "astray"

    def pick_all(self, query, passages):
        return [(0, 1)] * len(passages)


class LongestFirst(Silent):
    name = "longest"

    def order(self, query, passages):
        return sorted(range(len(passages)), key=lambda at: -len(passages[at].text))


class Forgetful(Silent):
    name = "forgetful"

    def order(self, query, passages):
        return [0]


TEXT = (
    "Storms thin the canopy each year. The holdfast grips the rock for a decade. Urchins graze where otters are gone."
)


def line(picker_list, one):
    start, end = quoted(parse("kelp "), [one], picker_list)[0]
    return one.text[start:end]


def test_the_first_picker_that_picks_is_heard_and_else_the_first_sentence():
    assert line([Silent(), Second()], candidate(TEXT)).startswith("The holdfast")
    assert line([Silent()], candidate(TEXT)).startswith("Storms")


def test_a_picker_that_gives_another_span_is_named():
    with pytest.raises(PluginError, match=r"picker\.astray"):
        quoted(parse("kelp "), [candidate(TEXT)], [guard("picker", "picker.astray", Astray())])


def test_a_caption_is_quoted_from_its_label_on():
    shown = line(
        [Second()], candidate("Figure 3. Kelp at dusk in the second plot. More words follow here.", ChunkKind.CAPTION)
    )
    assert shown.startswith("Figure 3. Kelp at dusk")


def test_fragments_and_addresses_are_not_offered_where_there_are_sentences():
    text = "4.2. ada@reef.example.org writes to many people here. The holdfast grips the rock for a decade."
    shown = [text[start:end] for start, end in worth_picking(text)]
    assert shown == ["The holdfast grips the rock for a decade."]


def test_a_text_of_fragments_alone_is_offered_all_the_same():
    assert worth_picking("x = 1") == ((0, 5),)
    assert worth_picking("") == ((0, 0),)


def test_a_long_sentence_is_windowed_where_the_querys_words_stand():
    text = "and so on " * 60 + "until the holdfast lets go of its rock " + "and so on " * 60
    start, end = windowed(parse("holdfast rock "), text, (0, len(text)))
    assert "holdfast lets go of its rock" in text[start:end]
    assert end - start <= LONGEST


@given(st.lists(st.integers(1, 30), min_size=1, max_size=100), st.integers(0, 5))
def test_a_window_is_short_and_cuts_no_word(lengths, at):
    words = ["abcdefghij"[number % 10] * length for number, length in enumerate(lengths)]
    text = " ".join(words)
    start, end = windowed(parse(words[min(at, len(words) - 1)] + " "), text, (0, len(text)))
    assert 0 <= start < end <= len(text)
    assert end - start <= LONGEST
    assert start == 0 or text[start - 1].isspace()
    assert end == len(text) or text[end].isspace()


def test_thai_is_offered_in_stretches_that_overlap_and_are_no_longer_than_what_is_shown() -> None:
    phrase = "แม่น้ำสายนี้ไหลผ่านเมืองเก่าและตลาดริมน้ำที่คนมาค้าขายกันทุกเช้าตั้งแต่สมัยปู่ย่าตายายของพวกเขา"
    text = " ".join(f"{phrase}{number}" for number in range(8))
    offered = worth_picking(text)
    assert all(end - start <= LONGEST for start, end in offered)
    assert any(start < before < end for (start, end), (before, _) in pairwise(offered))
    assert {text[start - 1] for start, _ in offered[1:]} == {" "}
    assert offered[0][0] == 0
    assert offered[-1][1] == len(text)


def shown(found):
    return [one.text for one in found]


PASSAGES = [candidate("Kelp grows."), candidate("Kelp grows in cold water."), candidate("Kelp is eaten.")]


def test_the_first_picker_that_has_a_say_orders_the_passages_of_a_work():
    found = ordered(parse("kelp "), PASSAGES, [Silent(), LongestFirst()], 3)
    assert shown(found) == ["Kelp grows in cold water.", "Kelp is eaten.", "Kelp grows."]
    assert shown(ordered(parse("kelp "), PASSAGES, [Silent()], 3)) == shown(PASSAGES)


def test_no_more_are_put_in_order_than_a_picker_may_be_given():
    for most in (0, 1, 2):
        found = ordered(parse("kelp "), PASSAGES, [LongestFirst()], most)
        first = sorted(shown(PASSAGES[:most]), key=len, reverse=True)
        assert shown(found) == [*first, *shown(PASSAGES[most:])]


def test_a_label_that_was_asked_for_keeps_its_passage_first():
    asked_for = [replace(PASSAGES[0], gained=1.0), *PASSAGES[1:]]
    assert shown(ordered(parse("fig. 3 kelp "), asked_for, [LongestFirst()], 3)) == shown(PASSAGES)


def test_a_picker_that_forgets_passages_is_named():
    with pytest.raises(PluginError, match=r"picker\.forgetful: order\(\) gave"):
        ordered(parse("kelp "), PASSAGES, [guard("picker", "picker.forgetful", Forgetful())], 3)


def found(row, text, worth, page=1, kind=ChunkKind.BODY):
    one = candidate(text, kind)
    return replace(one, worth=worth, chunk=replace(one.chunk, row=row, child=str(row), page=page))


def test_the_page_of_an_abstract_takes_its_place_and_its_worth():
    abstract = "Kelp holdfasts grip the rock through every winter storm."
    said = [
        found(1, "Urchins graze at night where otters are gone.", 1.0),
        found(2, abstract, 0.9, page=None, kind=ChunkKind.ITEM),
        found(3, abstract, 0.3),
        found(4, "Storms thin the canopy of the plants each year.", 0.8),
    ]
    for most in (0, 16):
        kept = distinct(said, most)
        assert [one.chunk.row for one in kept][:2] == [1, 3 if most else 2]
        assert [one.worth for one in kept] == [1.0, 0.9, 0.8]
