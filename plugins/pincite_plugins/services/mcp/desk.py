"""One library for many askers: one call at a time, and each can be given up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import anyio
import anyio.from_thread
import anyio.lowlevel

from pincite.errors import Cancelled
from pincite.library import Library
from pincite.spec import Cancel

T = TypeVar("T")


class Desk:
    """A call has the library to itself. One that is cancelled is left at once; its thread stops at the
    next place where it asks."""

    def __init__(self, library: Library) -> None:
        self.library = library

    async def ask(self, work: Callable[[Library, Cancel], T]) -> T:
        """What `work` gives, made in a thread of its own when its turn has come."""
        left = threading.Event()
        done = anyio.Event()
        token = anyio.lowlevel.current_token()
        outcome: list[T | BaseException] = []

        def in_turn() -> None:
            try:
                with self.library.turn:
                    if left.is_set():
                        raise Cancelled("stopped")
                    outcome.append(work(self.library, left.is_set))
            except BaseException as error:
                outcome.append(error)
            with suppress(RuntimeError):  # the loop has ended: nobody waits
                anyio.from_thread.run_sync(done.set, token=token)

        # not of anyio's pool: a call that does not stop must not keep the process from ending
        threading.Thread(target=in_turn, name="pincite-mcp-call", daemon=True).start()
        try:
            await done.wait()
        finally:
            left.set()
        found = outcome[0]
        if isinstance(found, BaseException):
            raise found
        return found
