"""Calling into a plugin: whatever it raises is reported under its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pincite.errors import PinciteError, PluginError


@contextmanager
def using(plugin: str) -> Iterator[None]:
    """Turns any error of a plugin that is not for a person yet into a `PluginError` that names it."""
    try:
        yield
    except (PinciteError, MemoryError):
        raise
    except OSError as error:
        raise PluginError(plugin, describe_os_error(error)) from error
    except Exception as error:
        raise PluginError(plugin, " ".join(f"{type(error).__name__}: {error}".split())) from error


def describe_os_error(error: OSError) -> str:
    """An operating-system error in one line with its path."""
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}"
