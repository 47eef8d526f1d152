"""The watchdog: a call that hangs is named and ended (specs/01-contract.md, "In use")."""

import subprocess
import sys
import textwrap
import threading
import time

import pytest

from pincite.errors import PluginError
from pincite.plugin import use, watch
from pincite.plugin.use import each, using
from pincite.plugin.watch import Awake, Watchdog


def spin():
    while True:
        time.sleep(0.001)


def test_a_call_that_sleeps_is_ended_and_named():
    started = time.monotonic()
    named = "plugin source.slow: has given no sign of life for 0.2 s and was stopped"
    with pytest.raises(PluginError, match=named), using("source.slow", 0.2):
        time.sleep(60)
    assert time.monotonic() - started < 30


def test_a_call_in_another_thread_is_ended_too():
    seen = []

    def work():
        try:
            with using("ranker.slow", 0.2):
                spin()
        except PluginError as error:
            seen.append(str(error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(30)
    assert seen
    assert seen[0].startswith("plugin ranker.slow: has given no sign of life")


def test_the_innermost_call_is_the_one_that_is_named():
    with pytest.raises(PluginError, match="plugin store.slow"), using("ranker.quick", 0.2), using("store.slow", 0.2):
        spin()


class Looking:
    """A watchdog that looks when it is told to, at a time that it is told, and what it interrupted."""

    def __init__(self, monkeypatch):
        self.dog = Watchdog()
        self.interrupted = []
        monkeypatch.setattr(self.dog, "_start", lambda limit: None)
        monkeypatch.setattr(watch, "interrupt", self.interrupted.append)

    def at(self, now):
        self.dog._look(self.dog.here(), now)
        return bool(self.interrupted)


@pytest.fixture
def looking(monkeypatch):
    return Looking(monkeypatch)


def test_a_call_that_gives_signs_of_life_goes_on(looking):
    asked = looking.dog.enter("ranker.busy", 0.3).asking(lambda: False)
    for step in range(10):
        assert not looking.at(0.2 * step)
        asked()
    assert not looking.at(2.0)
    assert not looking.at(2.2)
    assert looking.at(2.4)


def test_one_that_was_told_to_stop_has_its_time_running(looking):
    asked = looking.dog.enter("ranker.busy", 0.3).asking(lambda: True)
    assert not looking.at(0.0)
    assert asked()
    assert looking.at(0.4)


def test_time_spent_in_an_inner_call_is_not_held_against_the_outer(looking):
    calls = looking.dog.enter("source.outer", 0.5)
    for step in range(5):
        looking.dog.enter("store.inner", 5)
        assert not looking.at(step)
        assert not looking.at(step + 0.9)
        assert looking.dog.leave(calls) is None
    assert not looking.at(5.0)
    assert looking.at(5.6)


def test_nothing_is_raised_after_a_call_that_ended_in_time(looking):
    for step in range(20):
        calls = looking.dog.enter("source.brief", 0.05)
        assert not looking.at(step)
        assert looking.dog.leave(calls) is None
        assert not looking.at(step + 0.5)


def test_a_call_that_ends_while_it_is_looked_at_is_not_interrupted(looking, monkeypatch):
    calls = looking.dog.enter("source.brief", 0.2)
    assert not looking.at(0.0)
    monkeypatch.setattr(looking.dog, "limit_of", lambda entered: looking.dog.leave(calls) or 0.2)
    assert not looking.at(1.0)


def test_an_interruption_that_comes_late_reaches_nothing_after_its_call(monkeypatch):
    decided, left = threading.Event(), threading.Event()

    def late(thread, interrupt=watch.interrupt):
        decided.set()
        left.wait(30)
        time.sleep(0.2)
        interrupt(thread)

    def work():
        decided.wait(30)
        left.set()

    monkeypatch.setattr(watch, "interrupt", late)
    with pytest.raises(PluginError, match="source.late: has given no sign of life"), using("source.late", 0.05):
        work()
    for _ in range(100):
        time.sleep(0.005)


def test_time_in_which_the_process_stood_still_does_not_count():
    now, worked = [100.0], [7.0]
    awake = Awake(lambda: now[0], lambda: worked[0])

    def after(seconds, computed):
        now[0] += seconds
        worked[0] += computed
        return awake.look(1.0)

    assert after(1.1, 0.0) == pytest.approx(1.1)
    assert after(3600.0, 0.0) == pytest.approx(3.1)  # stopped by the person, or asleep with the machine
    assert after(50.0, 50.0) == pytest.approx(53.1)  # a call in C that let no other thread go on


def test_each_step_of_an_iterator_is_a_call_of_its_own(looking, monkeypatch):
    monkeypatch.setattr(use, "WATCHDOG", looking.dog)
    found = each("source.many", iter(range(9)), 0.2)
    for step in range(9):
        assert next(found) == step
        assert not looking.at(step)
        assert not looking.at(step + 0.9)


def test_a_step_of_an_iterator_that_sleeps_is_ended():
    def values():
        yield 1
        spin()

    found = each("source.stuck", values(), 1.0)
    assert next(found) == 1
    with pytest.raises(PluginError, match="source.stuck: has given no sign of life for 1 s"):
        next(found)


def test_a_call_that_swallows_the_interruption_ends_the_command():
    script = """
        import time
        from pincite.cli import main
        from pincite.plugin import use, watch
        from pincite.plugin.use import using
        watch.GRACE = 0.3
        watch.WATCHDOG.end = main._end
        with using("embedder.stubborn", 0.2):
            while True:
                try:
                    while True:
                        time.sleep(0.01)
                except BaseException:
                    pass
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "pincite: plugin embedder.stubborn: has given no sign of life for 0.2 s and cannot be stopped"
    )


def test_an_exit_in_a_plugin_is_its_error():
    with (
        pytest.raises(PluginError, match=r"source.quits: tried to end the program \(exit code 3\)"),
        using("source.quits"),
    ):
        sys.exit(3)


def test_where_interrupts_are_ignored_a_call_that_sleeps_is_ended_too():
    script = """
        import os, signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        from pincite.errors import PluginError
        from pincite.plugin.use import using
        try:
            with using("source.slow", 0.2):
                time.sleep(60)
        except PluginError as error:
            print(error)
        os.kill(os.getpid(), signal.SIGINT)
        print("still here")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=50)
    assert done.stdout.startswith("plugin source.slow: has given no sign of life")
    assert done.stdout.endswith("still here\n")
