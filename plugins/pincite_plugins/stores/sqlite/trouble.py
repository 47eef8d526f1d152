"""What goes wrong with a database, in words; every public method of the store is under it."""

from __future__ import annotations

import functools
import inspect
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pincite.errors import Damaged, PinciteError

FULL = 1 << 20
"""Bytes free under which a disk counts as full: SQLite says only "disk I/O error" where its shared memory finds no room."""


def in_words(error: apsw.Error, folder: Path) -> PinciteError:
    """One line for a person. `Damaged` where the bytes are not those that were written."""
    if isinstance(error, apsw.FullError) or (isinstance(error, apsw.IOError) and _full(folder)):
        return PinciteError(f"{folder}: the disk is full; free some space and run it again, nothing is lost")
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return PinciteError(f"{folder}: the index is locked by another program; wait for it to finish and try again")
    if isinstance(error, apsw.ReadOnlyError):
        return PinciteError(
            f"{folder}: the index is read-only; check the permissions of its folder, or set PINCITE_HOME to another"
        )
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return Damaged(
            f"{folder}: the index is damaged ({error}); run `pincite index`, which sets it aside and makes it anew"
        )
    if isinstance(error, apsw.CantOpenError):
        return PinciteError(f"{folder}: the index cannot be opened ({error}); check the permissions of its folder")
    if isinstance(error, apsw.IOError):
        return PinciteError(f"{folder}: the index cannot be read or written ({error}); check the disk and run it again")
    return PinciteError(
        f"{folder}: the index cannot be used ({type(error).__name__}: {error}); run `pincite index --rebuild`"
    )


def _full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < FULL
    except OSError:
        return False


Class = TypeVar("Class")


def spoken(cls: type[Class]) -> type[Class]:
    """A class decorator: SQLite's errors leave its public methods as `PinciteError`, and damage is noted (``_noticed``)."""
    methods = {name: method for base in reversed(cls.__mro__) for name, method in vars(base).items()}
    for name, method in methods.items():
        if not name.startswith("_") and inspect.isfunction(method) and name != "transaction":
            setattr(cls, name, _generator(method) if inspect.isgeneratorfunction(method) else _function(method))
    return cls


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        try:
            return method(self, *args, **named)
        except apsw.Error as error:
            raise self._noticed(error) from None

    return call


def _generator(method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @functools.wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Iterator[Any]:
        try:
            yield from method(self, *args, **named)
        except apsw.Error as error:
            raise self._noticed(error) from None

    return call
