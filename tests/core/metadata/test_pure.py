"""Identifiers, dates, languages, markup, front matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.metadata.dates import from_csl, iso_date, month_number, year_of
from pincite.metadata.frontmatter import Value, read_front_matter, split_front_matter, texts
from pincite.metadata.identifiers import clean_arxiv, clean_doi, clean_isbn, clean_issn
from pincite.metadata.ids import unique_ids
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, inline_to_text, strip_tags


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1234/ABC.5", "10.1234/abc.5"),
        ("https://doi.org/10.1234/abc.", "10.1234/abc"),
        ("doi:10.1016/S0304-422X(97)00018-1", "10.1016/s0304-422x(97)00018-1"),
        ("(see 10.1234/abc)", "10.1234/abc"),
        ("https://doi.org/10.1234%2Fabc", "10.1234/abc"),
        ("10.12/abc", ""),
        ("no doi", ""),
    ],
)
def test_doi(text: str, doi: str) -> None:
    assert clean_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "isbn"),
    [
        ("978-3-86680-192-9", "9783866801929"),
        ("ISBN 0-943396-04-2 0-85131-041-9", "9780943396040"),
        ("0 8044 2957 X", "9780804429573"),
        ("978-3-86680-192-8", ""),
        ("1234", ""),
    ],
)
def test_isbn(text: str, isbn: str) -> None:
    assert clean_isbn(text) == isbn


@given(st.integers(0, 999_999_999))
def test_isbn_of_ten_becomes_a_valid_one_of_thirteen(number: int) -> None:
    nine = f"{number:09d}"
    check = next(c for c in "0123456789X" if clean_isbn(nine + c))
    thirteen = clean_isbn(nine + check)
    assert thirteen.startswith("978" + nine)
    assert clean_isbn(thirteen) == thirteen


@pytest.mark.parametrize(
    ("text", "arxiv"),
    [
        ("arXiv:1706.03762v5 [cs.CL]", "1706.03762"),
        ("https://arxiv.org/abs/math.AG/0601001", "math.AG/0601001"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("12345", ""),
    ],
)
def test_arxiv(text: str, arxiv: str) -> None:
    assert clean_arxiv(text) == arxiv


def test_issn() -> None:
    assert [clean_issn(text) for text in ("1234567x", "0036-8075, 1095-9203", "12")] == ["1234-567X", "0036-8075", ""]


@pytest.mark.parametrize(
    ("text", "year", "date"),
    [
        ("2014//", 2014, "2014"),
        ("2011-05-25~/2012-06-26~", 2011, "2011-05-25"),
        ("May 4, 1998", 1998, "May 4, 1998"),
        ("1998/4", 1998, "1998-04"),
        ("n.d.", None, "n.d."),
        ("0476-09", 476, "0476-09"),
    ],
)
def test_dates(text: str, year: int | None, date: str) -> None:
    assert (year_of(text), iso_date(text)) == (year, date)


@pytest.mark.parametrize(
    ("value", "year", "date"),
    [
        ({"date-parts": [["2011", 5, 25], [2012]]}, 2011, "2011-05-25"),
        ({"date-parts": [[2017]], "season": 4}, 2017, "2017"),
        ({"raw": "spring 1998"}, 1998, "spring 1998"),
        ({"date-parts": [[]]}, None, ""),
        ({"date-parts": [["x"]]}, None, ""),
        (None, None, ""),
    ],
)
def test_dates_of_csl(value: object, year: int | None, date: str) -> None:
    assert from_csl(value) == (year, date)


def test_months() -> None:
    assert [month_number(text) for text in ("jan", "März", "Sept.", "12", "13", "soon", "")] == [
        1,
        3,
        9,
        12,
        None,
        None,
        None,
    ]


def test_languages() -> None:
    names = (
        "en-US",
        "eng",
        "German",
        "deutsch",
        "Français",
        "zh_CN",
        "pt-BR",
        "ngerman",
        "Klingon",
        "",
        "english; german",
    )
    assert [language_code(name) for name in names] == ["en", "en", "de", "de", "fr", "zh", "pt", "de", "", "", "en"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("plain", "plain"),
        ("<p>One &amp; two</p><p>three<br>four</p>", "One & two\n\nthree\nfour"),
        ("<ul><li>a</li>\n<li>b</li></ul>c", "a\nb\n\nc"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a\tb\nc"),
        ("<p>x <b>bold</b>, <i>y</i></p>", "x bold, y"),
        ("<pre>  two\n    four</pre>after", "  two\n    four\n\nafter"),
        ("<script>no</script><style>no</style>yes", "yes"),
        ("a < b & c", "a < b & c"),
        ("<p>not closed <b>", "not closed"),
        ("<div><p></p></div>", ""),
        ("a<b and c>d in R&D\n\nSecond, p<0.05", "a<b and c>d in R&D\n\nSecond, p<0.05"),
        ("In <i>vivo</i> &amp; after\nH<sub>2</sub>O", "In vivo & after\nH2O"),
        (
            "<jats:title>Aims</jats:title><jats:sec><jats:p>One &lt; <jats:italic>n</jats:italic></jats:p></jats:sec>",
            "Aims\n\nOne < n",
        ),
        ("<jats:p>One &lt; two</jats:p><jats:p>Three</jats:p>", "One < two\n\nThree"),
        ("a <mml:math><mml:mi>x</mml:mi></mml:math>\nb", "a x b"),
    ],
)
def test_html(html: str, text: str) -> None:
    assert html_to_text(html) == text


@given(st.text())
def test_any_text_is_safe_html(text: str) -> None:
    html_to_text(text)
    assert "\n" not in strip_tags(text)


def test_inline_markup_leaves_comparisons() -> None:
    assert inline_to_text("p < 0.05 and x<y> <i>in vivo</i> H<sub>2</sub>O &lt;3") == "p < 0.05 and x<y> in vivo H2O <3"


YAML = """---
title: "Lime: a \\"study\\""
author:
  - Ada Moss
  - name: Bo Fern
tags: [walls, 'lime, loam']
keywords:
- one
- two
abstract: >
  Folded
  text.
lang: de   # German
empty:
nested:
  inner: x
---
# Heading
"""


def test_front_matter_of_yaml() -> None:
    expected: dict[str, Value] = {
        "title": 'Lime: a "study"',
        "author": ["Ada Moss", "Bo Fern"],
        "tags": ["walls", "lime, loam"],
        "keywords": ["one", "two"],
        "abstract": "Folded text.",
        "lang": "de",
    }
    assert read_front_matter(YAML) == expected
    assert split_front_matter(YAML)[1] == "# Heading\n"


def test_front_matter_of_toml() -> None:
    text = '+++\ntitle = "Lime"\ntags = ["a"]\ndate = 1998-04-02\n+++\nbody'
    assert read_front_matter(text) == {"title": "Lime", "tags": ["a"], "date": "1998-04-02"}


@pytest.mark.parametrize("text", ["", "# Heading", "---\nnot closed", "text\n---\na: b\n---\n", "+++\n= broken\n+++\n"])
def test_no_front_matter(text: str) -> None:
    assert read_front_matter(text) == {}


@given(st.text(alphabet="-+:[]|># \n'\"abc", max_size=60))
def test_front_matter_and_rest_are_the_text(text: str) -> None:
    assert "".join(split_front_matter(text)) == text
    read_front_matter(text)


def test_front_matter_that_does_not_end_is_given_up_at_once() -> None:
    text = "---\r\n" + "a: b\r\n" * 2000
    assert split_front_matter(text) == ("", text)


def test_texts() -> None:
    assert (texts("a, b; a"), texts(["x, y"]), texts(None)) == (("a", "b"), ("x, y",), ())


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b"]), st.sampled_from(["x", "y"]))))
def test_ids_are_unique(items: list[tuple[str, str]]) -> None:
    ids = unique_ids([key for key, _ in items], [content for _, content in items])
    assert len(set(ids)) == len(items)
