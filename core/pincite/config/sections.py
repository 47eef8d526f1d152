"""A section of the configuration: a frozen dataclass, or a pydantic model, and the values that are checked against it.

Pydantic checks both, but takes a command a tenth of a second to load. A dataclass needs it only where there is something to check, so the
sections that a search comes by are dataclasses: most people set nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

WANTED = {
    "missing": "Must be set",
    "tuple_type": 'Input should be a list, as ["a", "b"]',
    "list_type": 'Input should be a list, as ["a", "b"]',
    "path_type": 'Input should be a path, as "/a/b"',
    "dataclass_type": "Input should be a section with keys of its own, as [{place}]",
    "dict_type": "Input should be a section with keys of its own, as [{place}]",
}
"""pydantic's kind of error → what TOML is wanted, where pydantic speaks of Python."""


class SectionError(Exception):
    """A value that a section does not take: `place` (keys from the section on), pydantic's `kind` and `message`, and what was `given`."""

    def __init__(self, place: tuple[str | int, ...], kind: str, message: str, given: Any) -> None:
        super().__init__(message)
        self.place, self.kind, self.message, self.given = place, kind, message, given


def required(**limits: Any) -> Any:
    """A key that must be set, with its limits; see `setting`."""
    return dataclasses.field(metadata=limits)


def setting(
    default: Any = None, description: str = "", *, factory: Callable[[], Any] | None = None, **limits: Any
) -> Any:
    """A key of a section that is a dataclass, where more is to be said than its type and default.

    `description`: one line for people. `factory` makes a default that can be changed (a dict). `limits`: as of `pydantic.Field` (``ge``,
    ``gt``, ``le``, ``lt``, ``min_length``, ``pattern`` …).
    """
    more = {"description": description, **limits} if description else limits
    if factory is not None:
        return dataclasses.field(default_factory=factory, metadata=more)
    return dataclasses.field(default=default, metadata=more)


def defaults(model: type | None) -> dict[str, Any]:
    """Key → default of a section; None for a key that must be set."""
    if model is None:
        return {}
    if dataclasses.is_dataclass(model):
        return {one.name: _default(one) for one in dataclasses.fields(model)}
    fields: Mapping[str, Any] = getattr(model, "model_fields", {})
    return {
        key: None if one.is_required() else one.get_default(call_default_factory=True) for key, one in fields.items()
    }


def keys(model: type) -> set[str]:
    """The keys that a section takes, other spellings of them too."""
    aliases = {one.alias for one in getattr(model, "model_fields", {}).values() if one.alias}
    return set(defaults(model)) | aliases


def made(model: type, values: Mapping[str, Any]) -> Any:
    """The section of these values. Raises `SectionError` at the first that it does not take."""
    if dataclasses.is_dataclass(model):
        if _nothing_to_check(dataclasses.fields(model), values):
            return model(**values)
    elif not hasattr(model, "model_fields"):
        return model()
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(model).validate_python(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        message = WANTED.get(first["type"], first["msg"].removeprefix("Value error, "))
        raise SectionError(first["loc"], first["type"], message, first.get("input")) from None


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not dataclasses.MISSING else None


def _nothing_to_check(fields: Iterable[dataclasses.Field[Any]], values: Mapping[str, Any]) -> bool:
    """Whether every value is a text, for a key that takes any text, and no key that must be set is missing."""
    free = {
        one.name
        for one in fields
        if one.type in (str, "str", "str | None") and not one.metadata.keys() - {"description"}
    }
    missing = {
        one.name for one in fields if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
    } - values.keys()
    return not missing and all(key in free and isinstance(value, str) for key, value in values.items())
