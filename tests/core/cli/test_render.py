"""Results as a person reads them, and as other programs do."""

import csv
import dataclasses
import io
import json

import pytest
from rich.cells import cell_len
from rich.console import Console

from pincite.cli.formats import written
from pincite.cli.render import console_of, place, render
from pincite.cli.search import Format
from pincite.values.library import Creator, Item
from pincite.values.results import Hit, Passage, Results


def passage(sentence="The holdfast grips the rock.", marks=((4, 12),), **more):
    given = {
        "section": ("Methods", "Sampling"),
        "page": 14,
        "page_label": "xii",
        "link": "file:///a.pdf#page=14",
    } | more
    return Passage(
        id="k#0",
        text=sentence,
        sentence=sentence,
        at=(0, len(sentence)),
        marks=marks,
        anchor={},
        attachment="a",
        **given,
    )


def hit(title="Kelp", low=False, **more):
    item = Item("k", "book", title, creators=(Creator("Okafor", "Ada"),), year=2018, key="okafor2018")
    return Hit(1, 0.5, item, {}, (passage(**more),), 2, low)


def printed(results, width=80, **given):
    out = io.StringIO()
    render(results, Console(file=out, width=width, highlight=False, **given))
    return out.getvalue()


def results(*hits, **more):
    return Results("kelp", "hybrid", None, tuple(hits), **more)


def test_a_hit_has_its_bar_title_place_sentence_and_link():
    shown = printed(results(hit()))
    for part in (
        "████░░░░  Kelp",
        "Okafor · 2018",
        "1.1  p. xii · Methods › Sampling",
        "The holdfast grips the rock.",
        "file:///a.pdf#page=14",
    ):
        assert part in shown
    assert "and 2 more passages" in shown


def test_the_words_of_the_query_are_marked_and_no_color_is_respected(monkeypatch):
    assert "\x1b[1;33mholdfast\x1b[0m" in printed(results(hit()), force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "33m" not in printed(results(hit()), force_terminal=True)


def test_no_line_is_wider_than_the_terminal_whatever_the_script():
    titles = ("海带如何在风暴之后附着于岩石上" * 6, "كيف يتمسك عشب البحر بالصخور بعد العاصفة " * 5, "word " * 60)
    for title in titles:
        for width in (40, 80, 133):
            shown = printed(results(hit(title=title, sentence="潮水退去之后" * 30, marks=(), link="")), width)
            assert all(cell_len(line) <= width for line in shown.splitlines())
            assert all(line == line.rstrip() for line in shown.splitlines())


def test_further_lines_of_a_title_stand_below_its_first():
    lines = printed(results(hit(title="kelp " * 40)), 60).splitlines()
    assert lines[0].index("kelp") == lines[1].index("kelp")


def test_a_file_without_a_title_goes_by_its_name_on_one_line_and_without_control_characters():
    nameless = dataclasses.replace(hit(), item=Item("tide\ntables\x1b[31m.txt"))
    assert "tide tables [31m.txt" in printed(results(nameless))


def test_text_from_right_to_left_is_isolated_and_other_text_is_not():
    assert "\u2068عشب البحر\u2069" in printed(results(hit(title="عشب البحر")))
    assert "\u2068" not in printed(results(hit()))


def test_weak_answers_say_so_and_what_was_made_of_the_query_is_told():
    shown = printed(results(hit(low=True), understood=("year 2018",), suggestions={"klep": ("kelp",)}))
    for part in ("Nothing here matches well", "low confidence", "Understood: year 2018", "did you mean kelp?"):
        assert part in shown


def test_nothing_found_is_said():
    assert "Nothing in this library matches “kelp”." in printed(results())


def test_no_page_is_invented():
    assert place(None, None, ("Crust",)) == "Crust"
    assert place(None, 3, ()) == "p. 3"


@pytest.mark.parametrize(
    ("kind", "said"), [("body", "p. 3"), ("item", "p. 3"), ("note", "p. 3 · note"), ("table", "p. 3 · table")]
)
def test_what_is_not_the_works_own_text_is_told(kind, said):
    assert place(None, 3, (), kind) == said
    of_note = results(hit(kind=kind, page=3, page_label=None, section=()))
    assert f"1.1  {said}\n" in printed(of_note)
    assert f"[{said}]" in written(of_note, Format.MD)
    assert next(csv.DictReader(io.StringIO(written(of_note, Format.CSV))))["kind"] == kind


def test_a_line_of_json_a_hit():
    lines = written(results(hit(), hit()), Format.JSONL).splitlines()
    assert [json.loads(line)["item"]["key"] for line in lines] == ["okafor2018", "okafor2018"]


def test_csv_reads_back_and_holds_no_formula():
    found = list(csv.DictReader(io.StringIO(written(results(hit(title='=HYPERLINK("x")')), Format.CSV))))
    assert found[0]["title"] == '\'=HYPERLINK("x")'
    assert (found[0]["page"], found[0]["page_label"], found[0]["sentence"]) == (
        "14",
        "xii",
        "The holdfast grips the rock.",
    )


def test_markdown_quotes_the_sentence_and_escapes_what_would_mean_something():
    shown = written(results(hit(title="Kelp *and* [urchins]")), Format.MD)
    assert "1. **Kelp \\*and\\* \\[urchins\\]** (Okafor · 2018)" in shown
    assert "> The holdfast grips the rock." in shown
    assert "[p. xii · Methods › Sampling](<file:///a.pdf#page=14>)" in shown


def test_what_is_printed_is_what_was_said(capsys):
    console_of().print("key:key:2019 [bold]", markup=False)
    assert capsys.readouterr().out == "key:key:2019 [bold]\n"
