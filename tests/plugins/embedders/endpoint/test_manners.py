"""Windows of a minute, waits and Retry-After (specs/22-endpoints.md)."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_plugins.embedders.endpoint.manners import MINUTE, Window, backoff, retry_after


@given(st.integers(1, 50), st.lists(st.tuples(st.integers(0, 30), st.integers(1, 60)), max_size=40))
def test_no_minute_holds_more_than_the_limit(limit, steps):
    window, now, spent = Window(limit, "tokens"), 0.0, []
    for passed, amount in steps:
        now += passed
        now += window.wait(amount, now)
        window.spend(amount, now)
        spent.append((now, amount))
        last = [one for at, one in spent if at > now - MINUTE]
        assert sum(last) <= limit or len(last) == 1


def test_a_wait_is_no_longer_than_needed():
    window = Window(10, "tokens")
    window.spend(6, 0.0)
    window.spend(4, 20.0)
    assert window.wait(6, 30.0) == pytest.approx(30.0)
    assert window.wait(7, 30.0) == pytest.approx(50.0)
    assert window.wait(1, 61.0) == 0.0


def test_no_limit_never_waits():
    window = Window(0, "requests")
    assert window.spend(10**9, 0.0) is None
    assert window.wait(10**9, 0.0) == 0.0


def test_the_warning_comes_once_at_four_fifths():
    window = Window(10, "requests")
    assert [window.spend(1, float(number)) is not None for number in range(10)] == [False] * 7 + [True, False, False]


@pytest.mark.parametrize(("value", "seconds"), [("7", 7.0), (" 0 ", 0.0), ("1.5", 1.5), (formatdate(1_000_090, usegmt=True), 90.0),
    (formatdate(999_000, usegmt=True), 0.0), ("soon", None), ("", None), ("-3", None), (None, None), ("nan", None)])  # fmt: skip
def test_retry_after_is_read_as_seconds_and_as_a_date(value, seconds):
    assert retry_after(value, 1_000_000.0) == seconds


def test_waits_double_with_a_spread_and_have_an_end():
    assert [backoff(attempt, 0.5) for attempt in range(3)] == [1.0, 2.0, 4.0]
    assert backoff(0, 0.0) == 0.75
    assert backoff(0, 1.0) == 1.25
    assert backoff(30, 1.0) <= 75
