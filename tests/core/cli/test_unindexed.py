"""search, show, open and cite over files that are not indexed yet, as a person runs them (specs/31-previews.md)."""

import json

import pytest
from typer.testing import CliRunner

from indexes import configure, opened
from pincite.cli.main import app

TEXT = "# Grip\n\nThe holdfast grips the rock with a force of ninety newtons, even when storms thin the canopy of the forest.\n"


@pytest.fixture
def run(tmp_path):
    (tmp_path / "kelp.md").write_text(TEXT, "utf-8")
    (tmp_path / "works.bib").write_text(
        "@book{okafor2018, author={Okafor, Ada}, title={Kelp holdfast}, year={2018}, file={kelp.md}}\n"
        "@book{lost1999, author={Brandt, Uwe}, title={Of a holdfast that was lost to the sea}, year={1999}, file={lost.md}}\n",
        "utf-8",
    )
    config = configure(tmp_path / "config", '[picker]\nuse = "lexical"\n')
    with opened(tmp_path / "works.bib", config) as library:
        library.index(seconds=0, embed=False)

    def run(*arguments, seconds="60"):
        config.write_text(config.read_text("utf-8").partition("[previews]")[0] + f"[previews]\nseconds = {seconds}\n")
        done = CliRunner().invoke(app, [*arguments, "--config", str(config)])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    run.search = lambda **given: run(
        "search", "holdfast newtons", "-e", "lexical", "--library", str(tmp_path / "works.bib"), **given
    )
    return run


def test_the_place_says_that_it_is_not_indexed(run):
    shown = run.search().stdout
    assert "not indexed yet" in shown
    assert "ninety newtons" in " ".join(shown.split())
    assert "lost.md: there is no such file" in shown


def test_show_and_open_take_what_was_shown(run, tmp_path):
    run.search()
    assert "ninety newtons" in " ".join(run("show", "1").stdout.split())
    assert run("open", "1", "--print").stdout.strip() == (tmp_path / "kelp.md").as_uri()
    assert "okafor2018" in run("cite", "1").stdout


def test_show_reads_the_file_of_a_work_that_was_shown_without_a_passage(run):
    shown = run.search(seconds="0").stdout
    assert "kelp.md is not indexed yet" in shown
    found = json.loads(run("show", "1", "--json").stdout)
    assert [one["indexed"] for one in found["passages"]] == [True, False]
    assert "ninety newtons" in found["passages"][1]["text"]
    assert "ninety newtons" in " ".join(run("show", "1", "--all").stdout.split())


def test_show_says_why_there_is_nothing_to_show(run):
    run.search(seconds="0")
    done = run("show", "2")
    assert "lost.md: there is no such file" in done.stderr
