"""Whether the fields of a value hold what their types say."""

from __future__ import annotations

import dataclasses
import types
import typing
from functools import cache
from typing import Any


def wrong_types(value: Any, where: str = "") -> str:
    """The first field of a dataclass (at any depth) whose value is not of its declared type, as half a sentence, or ""."""
    where = where or type(value).__name__
    for name, declared in _hints(type(value)).items():  # type: ignore[arg-type]  # a type is hashable
        part = getattr(value, name)
        if not _fits(part, declared):
            return f"{where}.{name} = {part!r:.60}, which is no {_named(declared)}"
        for one in part if isinstance(part, tuple) else (part,):
            if dataclasses.is_dataclass(one) and not isinstance(one, type):
                wrong = wrong_types(one, f"{where}.{name}")
                if wrong:
                    return wrong
    return ""


@cache
def _hints(kind: Any) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(kind)}
    return {name: hint for name, hint in typing.get_type_hints(kind).items() if name in names}


def _fits(value: Any, declared: Any) -> bool:
    origin = typing.get_origin(declared)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, one) for one in typing.get_args(declared))
    if origin is tuple:
        arguments = typing.get_args(declared)
        if not isinstance(value, tuple):
            return False
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return all(_fits(one, arguments[0]) for one in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    if origin is dict:
        key, part = typing.get_args(declared)
        return isinstance(value, dict) and all(_fits(one, key) and _fits(other, part) for one, other in value.items())
    if declared is Any or origin is not None:
        return True
    if declared is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if declared is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, declared) if isinstance(declared, type) else True


def _named(declared: Any) -> str:
    return declared.__name__ if isinstance(declared, type) and typing.get_origin(declared) is None else str(declared)
