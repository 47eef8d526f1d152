"""open, show, cite and explain, as a person runs them (specs/23-commands.md, 24, 25, 26)."""

import json

import pymupdf
import pytest
from typer.testing import CliRunner

from indexes import configure
from pincite.cli.main import app
from pincite.errors import UsageError

TEXT = [
    "Storms thin the canopy of the forest every winter. The holdfast grips the rock with a force of ninety newtons.",
    "Urchins graze on drifting blades at night. Where otters are gone they climb the plants and cut them through.",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A library of one PDF of two pages, labelled iv and v, with its entry."""
    folder = tmp_path_factory.mktemp("places")
    document = pymupdf.open()
    for text in TEXT:
        page = document.new_page()
        page.insert_textbox(pymupdf.Rect(72, 72, 520, 300), text, fontsize=12)
    document.set_page_labels([{"startpage": 0, "style": "r", "firstpagenum": 4}])
    document.save(folder / "kelp.pdf")
    (folder / "works.bib").write_text(
        "@book{okafor2018, author={Okafor, Ada}, title={Kelp and urchins}, year={2018}, file={kelp.pdf}}\n"
        "@book{brandt1999, author={Brandt, Uwe}, title={Glocken}, year={1999}}\n",
        "utf-8",
    )
    configure(folder / "config", '[picker]\nuse = "lexical"\n')
    return folder


@pytest.fixture
def run(place, monkeypatch):
    monkeypatch.setenv("PINCITE_HOME", str(place / "home"))

    def run(*arguments):
        done = CliRunner().invoke(app, [*arguments, "--config", str(place / "config" / "pincite.toml")])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.stdout

    run("search", "holdfast newtons rock", "--engine", "lexical", "--library", str(place / "works.bib"))
    return run


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("pandoc", "[@okafor2018, p. iv]"),
        ("latex", "\\autocite[iv]{okafor2018}"),
        ("typst", "@okafor2018[p. iv]"),
        ("plain", "(Okafor 2018, p. iv)"),
    ],
)
def test_cites_the_printed_page_of_the_last_results(run, style, expected):
    assert run("cite", "1", "--style", style).strip() == expected


def test_cites_another_place_when_told(run):
    assert run("cite", "1", "--locator", "fig. 3").strip() == "[@okafor2018, fig. 3]"
    with pytest.raises(UsageError, match="locator"):
        run("cite", "1", "--locator", "somewhere")


def test_prints_the_link_to_the_page(run, place):
    assert run("open", "1", "--print").strip() == (place / "kelp.pdf").as_uri() + "#page=1"


def test_opens_the_page_in_the_viewer_of_the_configuration(run, place, tmp_path):
    import sys
    import time

    seen = tmp_path / "seen"
    script = tmp_path / "viewer.py"
    script.write_text(f"import sys, pathlib; pathlib.Path({str(seen)!r}).write_text(' '.join(sys.argv[1:]))", "utf-8")
    file = place / "config" / "pincite.toml"
    before = file.read_text("utf-8")
    file.write_text(f"viewer = '''{sys.executable} {script} {{page}} {{path}}'''\n" + before, "utf-8")
    try:
        run("open", "1")
        for _ in range(600):
            if seen.exists() and seen.read_text("utf-8"):
                break
            time.sleep(0.05)
        assert seen.read_text("utf-8") == f"1 {place / 'kelp.pdf'}"
    finally:
        file.write_text(before, "utf-8")


def test_draws_the_page(run, tmp_path):
    target = tmp_path / "page.png"
    assert "page 1" in run("open", "1", "--image", str(target))
    assert pymupdf.Pixmap(str(target)).width > 1000


@pytest.mark.parametrize("target", ["", "shelf", "no such folder/page.png", "page.jpg", "page"])
def test_a_picture_that_has_no_place_is_refused_and_no_folder_is_made(run, tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelf").mkdir()
    with pytest.raises(UsageError, match="--image"):
        run("open", "1", "--image", target)
    assert [path.name for path in tmp_path.iterdir()] == ["shelf"]


def test_shows_the_whole_passage_and_the_whole_work(run):
    assert "ninety newtons" in run("show", "1")
    whole = run("show", "1", "--all")
    assert "Storms thin" in whole
    assert "cut them through" in " ".join(whole.split())
    found = json.loads(run("show", "1", "--json"))
    assert found["passage"] in [one["id"] for one in found["passages"]]
    assert run("show", "1", "--matches").count("newtons") >= 1


def test_explains_a_hit_and_a_work_that_is_missing(run):
    assert "rank 1" in run("explain", "1")
    told = json.loads(run("explain", "--item", "brandt1999", "--json"))
    assert told["rank"] is None
    assert "no passage of it matches" in told["absent"]
    with pytest.raises(UsageError, match="nobody2000"):
        run("explain", "--item", "nobody2000")


def test_a_number_beyond_the_last_results_is_refused(run):
    with pytest.raises(UsageError, match="there is no 7"):
        run("open", "7")


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "md"])
def test_each_format_names_the_work_and_the_place(run, place, form):
    out = run(
        "search", "holdfast newtons", "--engine", "lexical", "--format", form, "--library", str(place / "works.bib")
    )
    assert "Kelp and urchins" in out
    assert "iv" in out
