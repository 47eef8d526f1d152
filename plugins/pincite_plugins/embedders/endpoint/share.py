"""Batches shared among servers: each takes the next when it is done with its last."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from pincite.errors import Cancelled
from pincite.spec import Cancel, Vectors
from pincite_plugins.embedders.endpoint import EndpointSettings
from pincite_plugins.embedders.endpoint.failures import Failure
from pincite_plugins.embedders.endpoint.server import ENOUGH, Server


@dataclass(frozen=True, slots=True)
class Job:
    """Places of texts that go together."""

    places: tuple[int, ...]


@dataclass
class Shared:
    """What came of the jobs. `refused`: place → why a server would not take it. `last`: the last failure of a server as a whole."""

    done: list[tuple[Job, Vectors]] = field(default_factory=list)
    refused: dict[int, Failure] = field(default_factory=dict)
    last: str = ""


def divide(
    texts: Sequence[str], counts: Sequence[int], places: Sequence[int], settings: EndpointSettings, servers: int
) -> list[Job]:
    """Batches within the limits of texts, tokens and bytes, small enough that each of so many servers gets some."""
    most = max(1, min(settings.batch or ENOUGH, -(-len(places) // servers)))
    jobs: list[Job] = []
    current: list[int] = []
    tokens = size = 0
    for place in places:
        more = len(texts[place].encode("utf-8", "replace")) + 32
        full = (
            len(current) >= most or tokens + counts[place] > settings.batch_tokens or size + more > settings.batch_bytes
        )
        if current and full:
            jobs.append(Job(tuple(current)))
            current, tokens, size = [], 0, 0
        current.append(place)
        tokens, size = tokens + counts[place], size + more
    return [*jobs, Job(tuple(current))] if current else jobs


def share(
    jobs: Sequence[Job],
    texts: Sequence[str],
    counts: Sequence[int],
    servers: Sequence[Server],
    query: bool,
    check: Callable[[Server, Job, Vectors], None],
    cancelled: Cancel,
) -> Shared:
    """Works through `jobs`; a job that failed with one server goes to another, or stays undone once none is left for it.

    `check` sees a batch before it counts and may raise `Failure`. Raises `Cancelled`.
    """
    shared = Shared()
    waiting = deque((job, frozenset[int]()) for job in jobs)
    changed = threading.Condition()
    stop = threading.Event()
    away = 0

    def take(number: int, give_up: Cancel) -> tuple[Job, frozenset[int]] | None:
        """The next job for a server; waits while another server may still hand one back."""
        nonlocal away
        with changed:
            while not give_up():
                for place, (_, tried) in enumerate(waiting):
                    if number not in tried:
                        job = waiting[place]
                        del waiting[place]
                        away += 1
                        return job
                if not away:
                    break
                changed.wait(0.1)
        return None

    def back(job: Job, tried: frozenset[int] | None) -> None:
        nonlocal away
        with changed:
            away -= 1
            if tried is not None:
                waiting.append((job, tried))
            changed.notify_all()

    def work(number: int, give_up: Cancel) -> None:
        server = servers[number]
        while server.live and server.record is not None and not give_up():
            taken = take(number, give_up)
            if taken is None:
                return
            job, tried = taken
            sent, tokens = [texts[place] for place in job.places], [counts[place] + 8 for place in job.places]
            try:
                rows, refused = server.embed(sent, tokens, give_up, query)
                check(server, job, rows)
            except Failure as failure:
                server.failed(failure)
                shared.last = f"{server.address.shown}: {failure.seen}"
                back(job, tried | {number})
                continue
            except BaseException:
                back(job, tried)
                raise
            server.succeeded()
            with changed:
                shared.done.append((job, rows))
                shared.refused.update({job.places[place]: failure for place, failure in refused.items()})
            back(job, None)

    if len(servers) == 1:
        work(0, cancelled)
    elif servers:
        _together(servers, work, stop, cancelled)
    return shared


def _together(
    servers: Sequence[Server], work: Callable[[int, Cancel], None], stop: threading.Event, cancelled: Cancel
) -> None:
    """A thread for each server; `cancelled` is asked in this one alone."""
    with ThreadPoolExecutor(len(servers), "endpoint") as pool:
        futures = [pool.submit(work, number, stop.is_set) for number in range(len(servers))]
        try:
            while not all(future.done() for future in futures):
                if cancelled():
                    raise Cancelled("stopped; run it again to go on")
                time.sleep(0.02)
        except BaseException:
            stop.set()
            for server in servers:
                server.transport.stop()
            raise
        for future in futures:
            future.result()
