"""The share of a query that a passage's own words carry."""

from pincite.query.parse import parse
from pincite.search.own import carried, with_unknown, without_title
from pincite.text.wording import compounds_of
from pincite.values.search import Sought


def sought(**weights):
    return [Sought(word, weight, frozenset((word,))) for word, weight in weights.items()]


def test_the_share_goes_by_the_weights_of_the_words_that_are_said():
    found = carried(sought(kelp=3.0, the=1.0), (), "The tide turned")
    assert found.share == 0.25
    assert found.words == {"the"}


def test_any_form_of_a_word_says_it_and_accents_and_case_do_not_matter():
    words = [Sought("graze", 1.0, frozenset(("graze", "grazed"))), Sought("creme", 1.0, frozenset(("creme",)))]
    assert carried(words, (), "They GRAZED on Crème").share == 1.0


def test_a_compound_is_said_by_its_parts():
    query = parse("il-6 ")
    words = [Sought("il6", 1.0, frozenset(("il6",)))]
    assert carried(words, compounds_of(query), "levels of IL-6 rose").share == 1.0


def test_han_is_found_within_a_run():
    assert carried([Sought("潮水", 1.0, frozenset(("潮水",)))], (), "看潮水退去").share == 1.0


def test_a_word_that_the_library_does_not_have_counts_as_much_as_the_rarest():
    words = with_unknown(parse("in xyzzyx "), [Sought("in", 0.5, frozenset(("in",)))])
    assert carried(words, (), "in the tide").share == 0.5


def test_the_works_own_title_on_its_first_page_says_nothing_of_the_passage():
    text = "KELP FORESTS\nafter the Storm\nA. Okafor"
    assert "kelp" not in without_title(text, "Kelp forests after the storm").lower()
    later = "x " * 400 + text
    assert without_title(later, "Kelp forests after the storm") == later
