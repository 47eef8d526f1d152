"""Progress on standard error (specs/21-indexing.md, "Telling")."""

import json
from types import SimpleNamespace

from pincite.cli import progress
from pincite.cli.progress import Bars


def test_a_total_that_is_not_known_is_not_told(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PLAIN_EVERY", 0.0)
    with Bars("plain") as told:
        told("read", 1, 0, "")
        told("read", 3, 3, "")
    first, last = capsys.readouterr().err.splitlines()
    assert first == "pincite: reading the library: 1 items"
    assert last == "pincite: reading the library: 3 of 3 items"


def test_json_says_null_for_what_is_not_known(capsys):
    with Bars("json") as told:
        told("read", 1, 0, "")
        told("read", 3, 3, "")
    first, last = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["done"], first["total"], first["left"]) == (1, None, None)
    assert (last["done"], last["total"]) == (3, 3)


def test_a_rate_is_told_without_a_total(capsys, monkeypatch):
    monkeypatch.setattr(progress, "PLAIN_EVERY", 0.0)
    now = iter(range(100, 200, 2))
    monkeypatch.setattr(
        progress, "time", SimpleNamespace(monotonic=lambda: float(next(now)))
    )  # others go by the real one
    with Bars("plain") as told:
        told("read", 1, 0, "")
        told("read", 101, 0, "")
    assert "/s" in capsys.readouterr().err.splitlines()[-1]


def test_bars_are_drawn_whatever_is_known(capsys):
    with Bars("bars") as told:
        told("read", 1, 0, "")
        told("read", 3, 3, "")
        told("extract", 1, 2, "kelp.pdf")
    assert "3/3" in capsys.readouterr().err


def test_in_a_narrow_terminal_counts_and_pace_are_whole(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(progress, "_pace", lambda step, rate, left: "1,234/s, 12 min left")
    with Bars("bars") as told:
        told("read", 12_000, 12_345, "")
        told("extract", 1_000, 12_345, "\x1b[31ma very long name of a [file] that nobody has room for.pdf")
    lines = capsys.readouterr().err.splitlines()
    assert all(len(line) <= 80 for line in lines)
    (line,) = (line for line in lines if "1000/12345" in line)
    assert "reading files 1,234/s, 12 min left" in line
