"""What the screen makes of keys that come while its worker is at work (specs/27-ask.md)."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from pincite.cli.ask_screen import AskApp
from pincite.errors import Cancelled, UsageError


class Worker:
    """Does what it was given when it is told to."""

    def __init__(self):
        self.given = []

    def submit(self, work, *arguments):
        self.given.append((work, arguments))

    def work(self):
        work, arguments = self.given.pop(0)
        work(*arguments)


class Library:
    path = Path("works")

    def ask(self, text, limit, cancelled):
        if cancelled():
            raise Cancelled("stopped")
        return SimpleNamespace(results=lambda limit, previews: text, session=SimpleNamespace(waiting=[]))


@pytest.fixture
def screen(monkeypatch):
    """The application with nothing drawn: `shown` is what would be."""
    app = AskApp(Library(), Worker())
    app.shown = []
    monkeypatch.setattr(app, "call_from_thread", lambda call, *given: call(*given))
    monkeypatch.setattr(app, "_show", lambda results, again=False: app.shown.append(results))
    app._typed = 1
    return app


def test_an_opening_goes_before_a_search_which_is_made_afterwards(screen):
    screen._to_open += 1
    screen._answer(1, "kelp")
    assert screen.shown == []
    screen._opened += 1
    screen._worker.work()
    assert screen.shown == ["kelp"]
    assert screen._worker.given == []


def test_a_search_that_the_next_key_ends_is_not_made_again(screen):
    screen._worker.submit(screen._answer, 1, "kel")
    screen._typed += 1
    screen._worker.work()
    assert (screen.shown, screen._worker.given) == ([], [])


def test_an_answer_that_the_next_key_overtakes_on_its_way_is_not_shown(screen, monkeypatch):
    def typing(call, *given):
        screen._typed += 1
        call(*given)

    monkeypatch.setattr(screen, "call_from_thread", typing)
    screen._answer(1, "kel")
    assert screen.shown == []


@pytest.mark.parametrize(
    ("fault", "told"), [(UsageError("no such engine"), "no such engine"), (OSError("torn off"), "torn off")]
)
def test_a_fault_is_one_line_whoever_is_to_blame(screen, monkeypatch, fault, told):
    def failing(*arguments, **given):
        raise fault

    lines = []
    monkeypatch.setattr(screen, "_tell", lines.append)
    monkeypatch.setattr(screen._library, "ask", failing)
    screen._ask(1, "kelp")
    screen._worker.work()
    assert len(lines) == 1
    assert told in lines[0]
