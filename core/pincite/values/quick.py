"""`dataclass` for frozen classes, as that of the standard library, but made in a sixth of the time, and their instances in a third.

The standard library writes and compiles up to seven methods for each class. A search as a whole process makes some seventy classes, which
was an eighth of its time before it had read anything, and makes instances of half of them. Here `__init__` alone is written, when the
first instance is made (until then `inspect.signature` does not know its parameters); what is alike in all classes is shared. It fills
each slot by the slot's own descriptor: an answer has a few thousand instances, and to go through `__setattr__` took five times as long.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, fields
from dataclasses import dataclass as made_by_the_library
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # to a type checker they are the same
else:

    def dataclass(*, frozen: bool, slots: bool = False, eq: bool = True) -> Any:
        """A class decorator. `eq` False: equal only to itself. A method that the class has itself is kept."""
        if not frozen:
            raise TypeError("for frozen classes; take that of the standard library")

        def decorate(cls: type) -> type:
            made = made_by_the_library(cls, init=False, repr=False, eq=False, slots=slots)
            every = fields(made)
            if hasattr(cls, "__post_init__") or not all(map(_plain, every)):
                raise TypeError(
                    f"{cls.__qualname__}: for fields that have no options; take that of the standard library"
                )
            methods = {"__init__": _first(made), **_SHARED, **(_COMPARED if eq else {}), **(_SENT if slots else {})}
            for name, method in methods.items():
                if name not in cls.__dict__:
                    setattr(made, name, method)
            made._values = staticmethod(_getter(tuple(one.name for one in every)))
            return made

        return decorate


def _plain(one: Field[Any]) -> bool:
    return one.init and one.repr and one.compare and not one.kw_only


def _first(cls: type) -> Any:
    """An `__init__` that puts the real one in its place."""

    def __init__(self: Any, *args: Any, **given: Any) -> None:  # noqa: N807
        cls.__init__ = written = _written(cls)  # type: ignore[misc]
        written(self, *args, **given)

    return __init__


def _written(cls: Any) -> Any:
    """`__init__`: its parameters are the fields in order."""
    known: dict[str, Any] = {"_MISSING": MISSING, "_set": object.__setattr__}
    parameters, lines = ["self"], []
    for one in fields(cls):
        name = value = one.name
        if one.default_factory is not MISSING:
            known[f"_made_{name}"] = one.default_factory
            value = f"_made_{name}() if {name} is _MISSING else {name}"
            parameters.append(f"{name}=_MISSING")
        elif one.default is not MISSING:
            known[f"_default_{name}"] = one.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        if "__slots__" in cls.__dict__:
            known[f"_set_{name}"] = getattr(cls, name).__set__
            lines.append(f" _set_{name}(self, {value})\n")
        else:
            lines.append(f" _set(self, {name!r}, {value})\n")
    exec(f"def __init__({', '.join(parameters)}):\n{''.join(lines) or ' pass'}", known)
    known["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return known["__init__"]


def _getter(names: tuple[str, ...]) -> Any:
    """The values of an instance's fields, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else lambda one: ()


def _set(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _shown(self: Any) -> str:
    values = zip(self.__dataclass_fields__, self._values(self), strict=True)
    return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in values)})"


def _equal(self: Any, other: Any) -> Any:
    return self._values(self) == self._values(other) if type(self) is type(other) else NotImplemented


def _hashed(self: Any) -> int:
    return hash(self._values(self))


def _state(self: Any) -> tuple[Any, ...]:
    values: tuple[Any, ...] = self._values(self)
    return values


def _restore(self: Any, state: tuple[Any, ...]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


_SHARED = {"__setattr__": _set, "__delattr__": _delete, "__repr__": _shown}
_COMPARED = {"__eq__": _equal, "__hash__": _hashed}
_SENT = {"__getstate__": _state, "__setstate__": _restore}
"""For slots, which are copied and sent by assignment otherwise."""
