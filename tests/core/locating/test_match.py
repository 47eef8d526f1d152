"""Laws of locating: what is cut out of a text is found in it, however it is copied (specs/30-locating.md)."""

import random
import unicodedata
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.locating.match import Quotation, Readings, places_in

WORDS = st.lists(
    st.text(st.characters(categories=("Ll", "Lu", "Lo", "Mn", "Nd")), min_size=1, max_size=9), min_size=1, max_size=30
)


def places(text, quote):
    return places_in(Readings(text), Quotation(quote))


@settings(max_examples=60)
@given(WORDS, st.data())
def test_words_cut_out_of_a_text_are_found_where_they_stand(words, data):
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    start = len(" ".join(words[:first])) + (first > 0)
    quote = " ".join(words[first:last])
    end = start + len(quote)
    if not len(Quotation(quote).letters):
        return
    found = places(text, quote)
    assert any(low < end and start < high for spans in found for low, high in spans)


@settings(max_examples=60)
@given(st.text(), st.text())
def test_any_text_and_any_quotation_are_accepted(text, quote):
    for spans in places(text, quote):
        assert all(0 <= low < high <= len(text) for low, high in spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_a_copy_with_other_signs_and_broken_words_is_found(seed):
    chance = random.Random(seed)
    words = ["harbour", "lantern", "Brücke", "falcon-grey", "tide", "mirror", "été", "willow", "shadows"]
    sentence = [chance.choice(words) for _ in range(12)]
    printed = []
    for word in sentence:
        at = len(word) // 2
        printed.append(
            f"{word[:at]}-\n{word[at:]}" if chance.random() < 0.3 and word.isalpha() and word.islower() else word
        )
    text = f"Before it. {' '.join(printed)}, and after it."
    quote = unicodedata.normalize("NFD", " ".join(sentence)).upper().replace("-", "–")
    (spans,) = places(text, quote)
    assert text[slice(*spans[0])] == " ".join(printed)


def test_places_come_in_the_order_of_the_text_and_do_not_overlap():
    text = "row row row row row"
    assert places(text, "row row") == [((0, 7),), ((8, 15),)]
