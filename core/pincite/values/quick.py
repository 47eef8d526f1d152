"""`dataclass` for frozen classes with slots, as that of the standard library, but made in a third of the time, and so are their instances.

The standard library writes and compiles six methods for each class. A search as a whole process makes some sixty classes, which is an
eighth of its time before it has read anything. Here `__init__` alone is compiled; what is alike in all of them is shared. It fills each
slot by the slot's own descriptor: an answer has a few thousand instances, and to go through `__setattr__` took five times as long.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError
from dataclasses import dataclass as made_by_the_library
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # to a type checker they are the same
else:

    def dataclass(*, frozen: bool, slots: bool, eq: bool = True) -> Any:
        """A class decorator. `eq` False: equal only to itself. A method that the class has itself is kept."""
        if not (frozen and slots):
            raise TypeError("for frozen classes with slots; take that of the standard library")

        def decorate(cls: type) -> type:
            made = made_by_the_library(cls, slots=True, init=False, repr=False, eq=False)
            for name, method in {"__init__": _filling(made), **_SHARED, **(_COMPARED if eq else {})}.items():
                if name not in cls.__dict__:
                    setattr(made, name, method)
            made._values = staticmethod(_getter(tuple(made.__dataclass_fields__)))
            return made

        return decorate


def _filling(made: type) -> Any:
    """`__init__`: its parameters are the fields in order."""
    known: dict[str, Any] = {"_MISSING": MISSING}
    parameters, lines = ["self"], []
    for name, one in made.__dataclass_fields__.items():  # type: ignore[attr-defined]
        if not one.init or one.kw_only:
            raise TypeError(f"{name}: for fields that __init__ takes by place; take dataclass of the standard library")
        known[f"_set_{name}"] = getattr(made, name).__set__
        value = name
        if one.default_factory is not MISSING:
            known[f"_made_{name}"] = one.default_factory
            value = f"_made_{name}() if {name} is _MISSING else {name}"
            parameters.append(f"{name}=_MISSING")
        elif one.default is not MISSING:
            known[f"_default_{name}"] = one.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        lines.append(f" _set_{name}(self, {value})\n")
    exec(f"def __init__({', '.join(parameters)}):\n{''.join(lines) or ' pass'}", known)
    return known["__init__"]


def _getter(names: tuple[str, ...]) -> Any:
    """The values of an instance's fields, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda one: (getattr(one, names[0]),)) if names else lambda one: ()


def _set(self: Any, name: str, value: Any) -> None:
    if hasattr(self, name):  # a slot is empty until `__init__` fills it
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _shown(self: Any) -> str:
    fields = zip(self.__dataclass_fields__, self._values(self), strict=True)
    return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in fields)})"


def _equal(self: Any, other: Any) -> Any:
    return self._values(self) == self._values(other) if type(self) is type(other) else NotImplemented


def _hashed(self: Any) -> int:
    return hash(self._values(self))


_SHARED = {"__setattr__": _set, "__delattr__": _delete, "__repr__": _shown}
_COMPARED = {"__eq__": _equal, "__hash__": _hashed}
