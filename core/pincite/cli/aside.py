"""What plugins print while they are loaded goes to standard error: standard output carries results alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def prints_aside() -> Iterator[None]:
    """Meanwhile descriptor 1, and with it Python's ``sys.stdout``, is standard error."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
    except (OSError, ValueError, AttributeError):  # closed, or no file at all
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
