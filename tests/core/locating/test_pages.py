"""Quotations in pages: rectangles, labels, breaks, notes and annotations (specs/30-locating.md)."""

import json

import pymupdf
import pytest
from typer.testing import CliRunner

import pincite
from indexes import configure
from pdf_pages import LEFT, RIGHT, Paper, flow, prose, put
from pincite.cli.main import app
from pincite.errors import UsageError
from pincite.text.normalise import fold
from pincite.values.located import Outcome

COLUMN_BREAK = (
    "Nobody had counted the swifts below the northern gallery before the scaffolding came down in the second summer."
)
PAGE_BREAK = "A wardens' meeting of that same October voted to leave every nesting box where the masons had found it."


def broken_paper(path):
    """Two pages of two columns. One sentence crosses a column break, one the page break; heads and page numbers stand between."""
    paper = Paper()
    page = headed(paper, 11)
    rest = flow(page, LEFT, up_to(LEFT, prose(700, 3), COLUMN_BREAK))
    rest = flow(page, RIGHT, up_to(RIGHT, f"{rest} {prose(700, 4)}", PAGE_BREAK), indent=False)
    page = headed(paper, 12)
    rest = flow(page, LEFT, f"{rest} {prose(600, 5)}", indent=False)
    flow(page, RIGHT, f"{rest} {prose(120, 6)}", indent=False)
    page = headed(paper, 13)
    flow(page, LEFT, prose(120, 7))
    raised(
        page,
        60,
        400,
        ("Two pairs nested behind the clock", "4,7-9", "that spring, and 31 behind the louvres,", "12", "all but"),
    )
    put(page, 60, 412, "one of them in boxes.")
    paper.document.set_page_labels([{"startpage": 0, "style": "D", "firstpagenum": 11}])
    return paper.save(path)


def headed(paper, number):
    """A page with its running head and number."""
    page = paper.page()
    put(page, 200, 50, "Proceedings of the Tower Watch", 8)
    put(page, 290, 800, str(number), 8)
    return page


def raised(page, x, y, parts):
    """A line of which every other part is set small and high."""
    font = pymupdf.Font("tiro")
    for number, part in enumerate(parts):
        size = 6 if number % 2 else 10
        put(page, x, y - (4 if number % 2 else 0), part, size)
        x += font.text_length(part, size) + (0 if number % 2 == 0 else 2.5)


def up_to(box, filling, sentence):
    """So many words of `filling` that only the first words of `sentence` stand in the box."""
    scratch = Paper()
    words = filling.split()
    fit = len(words) - len(flow(scratch.page(), box, filling).split())
    return f"{' '.join(words[: fit - 6])} {sentence}"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    broken_paper(folder / "swifts.pdf")
    (folder / "works.bib").write_text(
        "@article{nkemelu2021, author={Nkemelu, Ife}, title={Swifts and scaffolding}, year={2021}, file={swifts.pdf},\n"
        " abstract={Boxes that were left in place were used again.}, note={Ask the sexton about the louvres.}}\n",
        "utf-8",
    )
    configure(folder / "config")
    return folder


@pytest.fixture(scope="module")
def library(place):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(place / "home"))
        with pincite.open(place / "works.bib", config=place / "config" / "pincite.toml") as opened:
            opened.index()
            yield opened


def under(path, rects):
    """The words whose middle lies under the rectangles."""
    with pymupdf.open(path) as document:
        found = []
        for page, *box in rects:
            for x1, y1, x2, y2, word, *_ in document[page - 1].get_text("words"):
                if box[0] <= (x1 + x2) / 2 <= box[2] and box[1] <= (y1 + y2) / 2 <= box[3]:
                    found.append(word)
    return " ".join(found)


@pytest.mark.parametrize("sentence", [COLUMN_BREAK, PAGE_BREAK])
def test_a_sentence_across_a_break_is_one_span_with_its_rectangles(library, place, sentence):
    located = library.locate(sentence)
    assert located.outcome is Outcome.FOUND
    (one,) = located.places
    assert len(one.spans) == 1
    assert " ".join(one.text.split()) == sentence
    assert fold(under(place / "swifts.pdf", one.anchor["rects"])) == fold(sentence)
    assert one.page == 1
    assert one.page_label == "11"
    assert {int(rect[0]) for rect in one.anchor["rects"]} == ({1} if sentence is COLUMN_BREAK else {1, 2})
    assert one.item.key == "nkemelu2021"
    assert one.link.endswith("#page=1")
    chunk = library.store.chunks([library.store.find_chunk(one.passage)])
    assert any(low <= one.spans[0][0] < high for c in chunk.values() for low, high in c.spans)


def test_raised_marks_are_passed_over_and_numbers_of_the_sentence_are_not(library):
    (one,) = library.locate(
        "nested behind the clock that spring, and 31 behind the louvres, all but one of them in boxes."
    ).places
    assert one.page == 3
    assert "clock 4,7-9 that" in one.text
    assert "louvres, 12 all" in one.text
    assert library.locate("that spring, and behind the louvres").outcome is Outcome.NOT_FOUND


def test_a_running_head_is_found_where_nothing_else_says_it(library):
    located = library.locate("Proceedings of the Tower Watch")
    assert located.outcome is Outcome.AMBIGUOUS
    assert [one.page for one in located.places] == [1, 2, 3]


def test_an_abstract_is_looked_into_where_no_file_has_it(library):
    (one,) = library.locate("Boxes that were left in place").places
    assert (one.kind, one.child, one.page) == ("abstract", "", None)
    assert one.item.abstract[slice(*one.spans[0])] == "Boxes that were left in place"


def test_what_comes_nearest_is_given_with_its_share(library):
    located = library.locate(COLUMN_BREAK.replace("northern", "southern"))
    assert located.outcome is Outcome.NOT_FOUND
    assert not located.places
    assert located.nearest.page == 1
    assert 0.85 < located.nearest.share < 1
    assert " ".join(located.nearest.text.split()).startswith("Nobody had counted")


def test_nothing_is_near_a_text_of_another_world(library):
    located = library.locate("Quarks zigzag vexingly")
    assert (located.outcome, located.nearest, located.total) == (Outcome.NOT_FOUND, None, 0)


def test_a_quotation_whose_words_the_index_does_not_have_is_found_all_the_same(library, monkeypatch):
    """The index leads; where it does not, every text is read."""
    monkeypatch.setattr("pincite.locating.texts.lexicon_of", lambda library, rankers, query: (None, ()))
    assert library.locate(PAGE_BREAK).outcome is Outcome.FOUND


@pytest.mark.parametrize("quote", ["", " … ", "?!", '"'])
def test_a_quotation_without_a_word_is_refused(library, quote):
    with pytest.raises(UsageError, match="no word"):
        library.locate(quote)


def test_a_book_that_was_pasted_is_refused(library):
    with pytest.raises(UsageError, match="has 60,000 characters, and 20,000 are looked for at most"):
        library.locate("bells " * 10_000)


@pytest.mark.parametrize("quote", ['title:"x" -bells', "10.1000/182", "author:", "a" * 5_000, "\ud800x", "NEAR(a b)"])
def test_any_text_is_a_safe_quotation(library, quote):
    assert library.locate(quote).outcome is Outcome.NOT_FOUND


@pytest.fixture
def run(place, library, monkeypatch):
    monkeypatch.setenv("PINCITE_HOME", str(place / "home"))

    def run(*arguments, **more):
        options = ["--library", str(place / "works.bib"), "--config", str(place / "config" / "pincite.toml")]
        done = CliRunner().invoke(app, [*arguments, *options], **more)
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


def test_the_command_prints_the_place(run):
    said = " ".join(run("locate", PAGE_BREAK).split())
    assert "Swifts and scaffolding" in said
    assert "p. 11" in said
    assert PAGE_BREAK in said
    assert PAGE_BREAK in " ".join(run("locate", "-", input=PAGE_BREAK).split())


def test_the_command_says_that_it_is_nowhere(run):
    assert "nowhere" in run("locate", "Quarks zigzag vexingly")
    assert "The nearest has" in run("locate", COLUMN_BREAK.replace("northern", "southern"))


def test_the_json_has_the_keys_of_its_page(run):
    found = json.loads(run("locate", COLUMN_BREAK, "--json"))
    assert found["schema"] == 1
    assert found["outcome"] == "found"
    assert found["total"] == 1
    assert found["nearest"] is None
    (one,) = found["places"]
    assert one["page_label"] == "11"
    assert one["share"] == 1
    assert one["item"]["key"] == "nkemelu2021"
    assert one["anchor"]["kind"] == "pdf"
