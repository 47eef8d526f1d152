"""How a server is asked: windows of a minute, waits between tries, and what Retry-After says."""

from __future__ import annotations

import email.utils
import random
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.errors import Cancelled

MINUTE = 60.0
WARN_AT = 0.8
LONGEST_WAIT = 60.0
"""Seconds that a run waits for a server at most; one that asks for more is put aside until then."""


@dataclass(frozen=True)
class Clock:
    """Time, replaceable: seconds that only rise, seconds since 1970, a pause, and a number from 0 to 1."""

    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random

    def pause(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        """Waits, looking up five times a second. Raises `Cancelled`."""
        until = self.now() + seconds
        while (left := until - self.now()) > 0:
            if cancelled():
                raise Cancelled("stopped while waiting for the endpoint; run it again to go on")
            self.sleep(min(left, 0.2))


@dataclass
class Window:
    """At most `limit` of something in any 60 seconds (0: no limit)."""

    limit: int
    what: str
    _spent: deque[tuple[float, int]] = field(default_factory=deque, repr=False)
    _warned: bool = False

    def used(self, now: float) -> int:
        """What the last 60 seconds took."""
        while self._spent and self._spent[0][0] <= now - MINUTE:
            self._spent.popleft()
        return sum(amount for _, amount in self._spent)

    def wait(self, amount: int, now: float) -> float:
        """Seconds until so much more fits. What is larger than the limit goes alone."""
        if not self.limit:
            return 0.0
        used, room, wait = self.used(now), self.limit - min(amount, self.limit), 0.0
        for at, spent in self._spent:
            if used <= room:
                break
            used -= spent
            wait = at + MINUTE - now
        return wait

    def spend(self, amount: int, now: float) -> str | None:
        """Takes it in; a line for the person when 80% are reached for the first time."""
        if not self.limit:
            return None
        self._spent.append((now, amount))
        if self._warned or self.used(now) < WARN_AT * self.limit:
            return None
        self._warned = True
        return f"{self.used(now):,} of {self.limit:,} {self.what} a minute are used; the endpoint is asked more slowly from here on"


def backoff(attempt: int, random: float) -> float:
    """Seconds before try number `attempt` + 2: 1, 2, 4, … give or take a quarter, so that several clients do not come back together."""
    return float(min(2**attempt, LONGEST_WAIT) * (0.75 + 0.5 * random))


def retry_after(value: str | None, wall: float) -> float | None:
    """The header in seconds from now, given as seconds or as an HTTP date (RFC 9110 §10.2.3); None where it says nothing usable."""
    if value is None:
        return None
    value = value.strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value, re.ASCII):
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - wall)
    except (ValueError, TypeError, OverflowError):
        return None
