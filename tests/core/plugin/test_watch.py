"""The watchdog: a call that hangs is named and ended (specs/01-contract.md, "In use")."""

import subprocess
import sys
import textwrap
import threading
import time

import pytest

from pincite.errors import PluginError
from pincite.plugin.use import each, using


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


def test_a_call_that_gives_signs_of_life_goes_on():
    with using("ranker.busy", 0.3) as call:
        asked = call.asking(lambda: False)
        for _ in range(40):
            time.sleep(0.02)
            asked()


def test_time_spent_in_an_inner_call_is_not_held_against_the_outer():
    with using("source.outer", 0.5):
        for _ in range(5):
            with using("store.inner", 5):
                time.sleep(0.2)


def test_nothing_is_raised_after_a_call_that_ended_in_time():
    for _ in range(20):
        with using("source.brief", 0.05):
            time.sleep(0.001)
    time.sleep(0.2)


def test_each_step_of_an_iterator_is_a_call_of_its_own():
    def values():
        yield 1
        spin()

    found = each("source.stuck", values(), 0.2)
    assert next(found) == 1
    time.sleep(0.4)
    with pytest.raises(PluginError, match="source.stuck: has given no sign of life for 0.2 s"):
        next(found)


def test_a_call_that_swallows_the_interruption_ends_the_command():
    script = """
        import time
        from pincite.cli import main
        from pincite.plugin import watch
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
