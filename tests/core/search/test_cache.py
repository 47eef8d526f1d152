"""Recent questions are answered from memory, and never with an old answer."""

from pincite.query.parse import parse
from pincite.search.cache import RecentAnswers, key_of


def test_questions_of_other_scripts_do_not_collide():
    keys = {key_of(parse(text), "hybrid", 1) for text in ("潮水为何退去", "海带如何固定", "почему отлив", "why")}
    assert len(keys) == 4


def test_full_width_and_plain_forms_are_one_question():
    assert key_of(parse("kelp １２ "), 1) == key_of(parse("kelp 12 "), 1)


def test_a_prefix_is_another_question_than_the_finished_word():
    assert key_of(parse("kelp"), 1) != key_of(parse("kelp "), 1)


def test_a_change_of_the_state_is_another_key():
    assert key_of(parse("kelp"), "hybrid", 7) != key_of(parse("kelp"), "hybrid", 8)


def test_the_least_recently_used_goes_first():
    held = RecentAnswers(2)
    held.put("a", 1)
    held.put("b", 2)
    held.get("a")
    held.put("c", 3)
    assert (held.get("a"), held.get("b"), held.get("c"), len(held)) == (1, None, 3, 2)
