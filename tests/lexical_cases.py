"""What any ranker by words ranks (specs/17-lexical-ranking.md), over rows in memory. A test module takes these cases in whole
(``from lexical_cases import *``) and has a fixture `opened`: (folder, store, **settings) → a ranker that has caught up.
"""

from __future__ import annotations

import pytest

from memory_store import MemoryStore
from pincite.query import parse
from pincite.search.met import with_terms
from pincite.values.search import ChunkKind, RowSet

FILLER = "plain rock sand pool weed shell wind wave foam cloud gull boat rope sail mast hull deck keel dock pier"


@pytest.fixture
def shore(tmp_path, opened):
    """A store with forty rows of fillers, so that words are rare, and a ranker made from it on call."""
    store = MemoryStore()
    words = FILLER.split()
    for number in range(40):
        store.put(body=" ".join(words[(number + step) % len(words)] for step in range(12)))

    return store, lambda **settings: opened(tmp_path, store, **settings)


def found(ranker, query: str, rows=None, limit: int = 50) -> list[int]:
    return [one.row for one in ranker.rank(parse(query), rows, limit)]


def test_fractions_lie_between_0_and_1(shore):
    store, ranker = shore
    store.put(body="crab " * 200)
    store.put(ChunkKind.ITEM, title="Crab crab crab", metadata="crab")
    for one in ranker().rank(parse("crab "), None, 50):
        assert 0 < one.fraction <= 1


def test_neighbours_outrank_scattered_words(shore):
    store, ranker = shore
    scattered = store.put(body="the marsh lies far from any salt that there is")
    together = store.put(body="any that there is the salt marsh lies far from")
    assert found(ranker(), "salt marsh ")[:2] == [together, scattered]


def test_full_title_before_partial_title_before_partial_text(shore):
    store, ranker = shore
    text = store.put(body="a crab was seen once beside the wall in the evening light and nobody said more of it")
    partial = store.put(ChunkKind.ITEM, title="Crab walks", item=2)
    full = store.put(ChunkKind.ITEM, title="Mangrove crab", item=3)
    assert found(ranker(), "mangrove crab ") == [full, partial, text]


def test_title_before_body_with_the_same_words(shore):
    store, ranker = shore
    body = store.put(body="mangrove crab")
    title = store.put(ChunkKind.ITEM, title="Mangrove crab", item=2)
    assert found(ranker(), "mangrove crab ") == [title, body]


def test_a_title_word_and_a_body_word_meet(shore):
    store, ranker = shore
    other = store.put(context="Notes on weather", body="the burrow is deep and the burrow is wet")
    both = store.put(context="Mangrove crab", body="the burrow is deep and the other is wet")
    assert found(ranker(), "mangrove crab burrow ")[:2] == [both, other]


def test_a_short_text_that_repeats_before_one_mention_among_many(shore):
    store, ranker = shore
    long = store.put(body="crab " + " ".join(f"filler{number}" for number in range(300)))
    short = store.put(body="crab eats crab")
    assert found(ranker(), "crab ") == [short, long]


def test_a_word_in_every_row_still_ranks_by_repetition(tmp_path, opened):
    store = MemoryStore()
    once = store.put(body="crab one two three")
    thrice = store.put(body="crab crab crab one")
    ranker = opened(tmp_path, store)
    assert found(ranker, "crab ") == [thrice, once]
    assert ranker.ubiquitous(parse("crab mud ")) == frozenset({"crab"})


def test_only_candidates_come_back_and_none_without_any(shore):
    store, ranker = shore
    kept, left = store.put(body="crab one"), store.put(body="crab crab crab")
    made = ranker()
    assert found(made, "crab ", RowSet.of([kept])) == [kept]
    assert found(made, "crab ", RowSet.of([])) == []
    assert found(made, "?! ") == []
    assert set(found(made, "crab ")) == {kept, left}


def test_the_filter_comes_before_the_limit(shore):
    store, ranker = shore
    for _ in range(30):
        store.put(body="crab crab crab")
    weak = store.put(body="crab among other words that say nothing of it at all")
    assert found(ranker(), "crab ", RowSet.of([weak]), limit=1) == [weak]


@pytest.mark.parametrize(("text", "query"), [("café", "cafe "), ("cafe", "café "), ("CAFÉ", "cafe\u0301 ")])
def test_accents_and_case_are_alike(shore, text, query):
    store, ranker = shore
    row = store.put(body=f"the {text} by the pier")
    assert found(ranker(), query)[0] == row


def test_a_prefix_finds_the_longer_word_and_a_suffix_never(shore):
    store, ranker = shore
    row = store.put(body="sedimentation")
    made = ranker()
    assert found(made, "sedim") == [row]
    assert found(made, "sedim ") == []
    assert found(made, "tation") == []


def test_a_quoted_phrase_crosses_line_breaks_and_hyphens_but_no_full_stop(shore):
    store, ranker = shore
    stop = store.put(body="There was salt. Marsh birds came.")
    line = store.put(body="in the salt\nmarsh")
    hyphen = store.put(body="in the salt-marsh")
    assert set(found(ranker(), '"salt marsh"')) == {line, hyphen}
    assert stop not in found(ranker(), '"salt marsh"')


def test_compounds_are_found_spaced_joined_and_hyphenated(shore):
    store, ranker = shore
    rows = {store.put(body=f"a {form} here") for form in ("saltmarsh", "salt-marsh", "salt-\nmarsh")}
    assert set(found(ranker(), "salt-marsh ")) >= rows


def test_an_exact_word_before_its_stem_before_nothing(shore):
    store, ranker = shore
    stem = store.put(body="flooding here and there")
    exact = store.put(body="floods here and there")
    assert found(ranker(), "floods ") == [exact, stem]


def test_a_name_counts_no_less_than_a_word_that_has_other_forms(shore):
    """Each is said by one passage; the word's other forms are said by more, so that it is the less rare of the two."""
    store, ranker = shore
    word = store.put(body="flooding here and there")
    name = store.put(body="zostera here and there")
    for _ in range(5):
        store.put(body="floods of old")
    made = ranker()
    assert found(made, "flooding zostera ")[:2] == [name, word]
    assert found(made, "zostera flooding ")[:2] == [name, word]
    weights = {one.word: one.weight for one in made.sought(parse("flooding zostera "))}
    assert weights["zostera"] > weights["flooding"]


def test_stems_can_be_turned_off(shore):
    store, ranker = shore
    store.put(body="flooding here and there")
    exact = store.put(body="floods here and there")
    assert found(ranker(stems=False), "floods ") == [exact]


def test_chinese_is_found_by_pairs_and_by_one_character(shore):
    store, ranker = shore
    row = store.put(body="海岸湿地有螃蟹", language="zh")
    other = store.put(body="北山下雪", language="zh")
    made = ranker()
    assert found(made, "湿地的螃蟹在哪里")[0] == row
    assert found(made, "雪") == [other]
    assert found(made, "が") == []


def test_excluded_words_and_phrases_are_in_no_answer(shore):
    store, ranker = shore
    kept = store.put(body="crab on sand")
    store.put(body="crab in mud")
    store.put(body="crab in the salt marsh")
    assert found(ranker(), 'crab -mud -"salt marsh"') == [kept]


def test_title_words_must_stand_in_the_title(shore):
    store, ranker = shore
    title = store.put(ChunkKind.ITEM, title="Crab walks", abstract="of mud")
    store.put(ChunkKind.ITEM, title="Mud", abstract="the crab", item=2)
    assert found(ranker(), "title:crab mud ") == [title]


def test_metadata_is_found_without_a_field_word(shore):
    store, ranker = shore
    row = store.put(ChunkKind.ITEM, title="Walks", metadata="Ada Okafor\n2018\nJournal of Shores")
    assert found(ranker(), "okafor walks 2018 ")[0] == row


def test_a_missing_word_gets_suggestions_of_the_library(shore):
    store, ranker = shore
    store.put(body="mangrove sediment")
    assert ranker().suggest(parse("mangrvoe sedimnet shell ")) == {"mangrvoe": ["mangrove"], "sedimnet": ["sediment"]}


def test_sought_words_come_with_their_forms(shore):
    store, ranker = shore
    store.put(body="floods and flooding")
    (sought,) = ranker().sought(parse("floods moon "))
    assert (sought.word, sought.forms) == ("floods", {"floods", "flooding"})
    assert sought.weight > 0


def test_terms_are_what_a_passage_met(shore):
    store, ranker = shore
    row = store.put(body="a crab flooding the burrow")
    query, words = parse("crab floods moon "), ranker()
    (first, *_) = with_terms(query, words, words.rank(query, None, 5))
    assert (first.row, set(first.terms)) == (row, {"crab", "floods"})


def test_equal_scores_are_ordered_by_row(shore):
    store, ranker = shore
    rows = [store.put(body="crab in mud") for _ in range(5)]
    assert found(ranker(), "crab mud ") == rows


def test_a_rare_word_among_characters_outweighs_the_pairs_of_the_question(shore):
    store, ranker = shore
    for place in "海河湖江滩岸湾港沙泥石草":
        store.put(body=f"这{place}是什么样的没有人知道", language="zh")
    answer = store.put(body="Zostera 长在浅水里", language="zh")
    assert found(ranker(), "Zostera是什么")[0] == answer
