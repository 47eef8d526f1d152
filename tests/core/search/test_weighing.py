"""Passages that cannot be shown are not read, and nothing that is shown changes for it."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.query.parse import parse
from pincite.search.alike import distinct
from pincite.search.own import carried, carried_at_most
from pincite.search.weighing import FIRST, Weighing
from pincite.search.worth import Candidate, worth, worth_at_most
from pincite.text.wording import compounds_of, said_words
from pincite.values.library import Item, Record
from pincite.values.search import Chunk, ChunkKind, Evidence, Sought

WORDS = ("kelp", "holdfast", "storm", "otter", "gpt4", "tore")
QUERY = parse("kelp holdfast storm otter gpt-4 tore ")
SOUGHT = tuple(Sought(word, 1.0 + at, frozenset((word,))) for at, word in enumerate(WORDS))


class Shelf:
    """A store of passages by row; it knows which were read."""

    def __init__(self, texts, lost=()):
        self._texts = texts
        self._lost = lost
        self.read = []

    def chunks(self, rows):
        return {row: chunk_of(row) for row in rows}

    def texts(self, rows):
        self.read += list(rows)
        return {row: self._texts[row] for row in rows if row not in self._lost}


def chunk_of(row, kind=ChunkKind.BODY, role=""):
    return Chunk(row, f"p{row}", row // 100, "file", "file", kind, ((row, row + 1),), (), 1, None, {}, "en", role)


def weighing(texts, query=QUERY, terms=True):
    """Rows 100 to 199 are of work 1, and so on; `terms`: whether the ranker of words names what it met."""
    evidence, spreads = {}, {}
    for at, (row, text) in enumerate(texts.items()):
        met = tuple(said_words(SOUGHT, (), text)) if terms else ()
        said = {"words": Evidence(row, len(met), len(met) / 10, met), "meaning": Evidence(row, 1 / (1 + at), 0.1)}
        evidence.setdefault(row // 100, {})[row] = said
    for item, found in evidence.items():
        scores = sorted((said["meaning"].score for said in found.values()), reverse=True)
        spreads[item] = {"meaning": (scores[len(scores) // 2], scores[0])}
    records = {item: Record(Item(str(item), "article", f"Work {item}")) for item in evidence}
    return Weighing(query, SOUGHT, "words", records, evidence, spreads)


def a_work(item, count=16):
    """The first half of its passages says all of the words, the others none but one."""
    many, few = "Kelp tore off its holdfast in the storm, said an otter to gpt-4", "Kelp"
    others = {at: " ".join(f"day{at}of{number}" for number in range(30)) for at in range(count)}
    return {100 * item + at: f"{many if at < count // 2 else few} on {others[at]}." for at in range(count)}


@pytest.fixture
def texts():
    return {**a_work(1), **a_work(2)}


def candidates(texts, whole, **given):
    shelf, unread = Shelf(texts), set()
    found = weighing(texts, **given).candidates(shelf, {row: row // 100 for row in texts}, whole, unread)
    assert not unread
    return found, shelf.read


def test_what_can_be_shown_is_the_same_and_what_cannot_is_not_read(texts):
    all_found, all_read = candidates(texts, whole=[1, 2])
    found, read = candidates(texts, whole=[1])
    assert sorted(all_read) == sorted(texts)
    assert found[1] == all_found[1]
    assert distinct(found[2]) == distinct(all_found[2])
    assert len(distinct(found[2])) == 8
    assert FIRST <= len([row for row in read if row >= 200]) <= 10
    assert len(set(read)) == len(read)


def test_where_a_label_is_asked_for_all_are_read(texts):
    _, read = candidates(texts, whole=[], query=parse("kelp in Fig. 3 "))
    assert sorted(read) == sorted(texts)


def test_where_the_ranker_does_not_say_which_words_it_met_all_are_read(texts):
    _, read = candidates(texts, whole=[], terms=False)
    assert sorted(read) == sorted(texts)


def test_a_work_of_which_a_text_is_damaged_is_told(texts):
    unread = set()
    weighing(texts).candidates(Shelf(texts, lost=(200,)), {row: row // 100 for row in texts}, [1], unread)
    assert unread == {2}


@given(
    st.lists(st.sampled_from((*WORDS, "gpt-4", "gpt", "4", "by", "@", "mail@reef.org", "et", "al.", "seen.")), max_size=30),
    st.sampled_from(list(ChunkKind)),
    st.sampled_from(("", "authors", "title")),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(("words", "")),
)  # fmt: skip
def test_no_passage_is_worth_more_than_was_told_without_its_text(words, kind, role, fraction, score, lexical):
    text, compounds = " ".join(words), compounds_of(QUERY)
    own = carried(SOUGHT, compounds, text)
    terms = own.words - {"gpt4"}  # an index holds a compound where it stands as one
    said = {"words": Evidence(100, 1.0, fraction, tuple(terms)), "meaning": Evidence(100, score, fraction)}
    spreads = {"meaning": (0.2, 0.9)}
    one = Candidate(chunk_of(100, kind, role), text, (), said, own.share, own.words)
    most = worth_at_most(said, carried_at_most(SOUGHT, compounds, terms), lexical, spreads)
    assert worth(one, lexical, spreads) <= most
    assert worth(dataclasses.replace(one, evidence={}), lexical, spreads) <= worth_at_most({}, 1.0, lexical, spreads)
