"""`quick.dataclass` makes what the standard library's makes, of frozen classes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from functools import cached_property, total_ordering

import pytest

from pincite.values import quick


@quick.dataclass(frozen=True, slots=True)
class Bell:
    name: str
    year: int = 1700
    tones: tuple[str, ...] = ()
    marks: dict[str, int] = field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    name: str
    year: int = 1700
    tones: tuple[str, ...] = ()
    marks: dict[str, int] = field(default_factory=dict)


@quick.dataclass(frozen=True)
class Open:
    name: str
    marks: dict[str, int] = field(default_factory=dict)

    @cached_property
    def letters(self) -> int:
        return len(self.name)


@quick.dataclass(frozen=True, slots=True)
class One:
    name: str = "a"


@quick.dataclass(frozen=True, slots=True)
class Nothing:
    pass


@quick.dataclass(frozen=True, slots=True)
class Great(One):
    weight: float = 1.5


@quick.dataclass(frozen=True, slots=True, eq=False)
class Itself:
    name: str


@quick.dataclass(frozen=True, slots=True)
class Folded:
    name: str

    def __hash__(self) -> int:
        return 7


@total_ordering
@quick.dataclass(frozen=True, slots=True)
class Ranked:
    at: int

    def __lt__(self, other: Ranked) -> bool:
        return self.at < other.at


def test_it_is_shown_compared_and_taken_apart_alike():
    ours, theirs = Bell("Susanna", 1450, ("e",), {"x": 1}), Plain("Susanna", 1450, ("e",), {"x": 1})
    assert repr(ours).replace("Bell", "Plain") == repr(theirs)
    assert asdict(ours) == asdict(theirs)
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    assert ours == Bell("Susanna", 1450, ("e",), {"x": 1})
    assert ours != Bell("Susanna", 1451, ("e",), {"x": 1})
    assert ours != theirs
    assert ours.__match_args__ == theirs.__match_args__
    assert hash(Bell("a", marks=None)) == hash(Plain("a", marks=None))
    assert hash(One("a")) == hash(One("a"))
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(())
    assert Bell("a").marks is not Bell("a").marks


def test_it_cannot_be_changed():
    bell = Bell("Susanna")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'year'"):
        bell.year = 3
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'year'"):
        del bell.year
    with pytest.raises(FrozenInstanceError):
        bell.weight = 3
    assert replace(bell, year=3) == Bell("Susanna", 3)


def test_it_is_copied_and_sent_between_processes():
    bell = Bell("Susanna", tones=("e",), marks={"x": 1})
    for again in (copy.copy(bell), copy.deepcopy(bell), pickle.loads(pickle.dumps(bell))):
        assert again == bell
        with pytest.raises(FrozenInstanceError):
            again.year = 3


def test_a_class_may_inherit_compare_by_identity_or_bring_its_own_methods():
    assert Great("b", 2.0) == Great("b", 2.0)
    assert Great("b", 2.0) != Great("b", 2.5)
    assert One("a") != Great("a")
    assert Itself("a") != Itself("a")
    assert hash(Folded("a")) == 7
    assert Folded("a") == Folded("a")
    assert sorted([Ranked(3), Ranked(1)]) == [Ranked(1), Ranked(3)]


def test_what_is_given_is_told_apart_from_the_first_instance_on():
    @quick.dataclass(frozen=True, slots=True)
    class Clock:
        name: str
        hour: int = 12

    with pytest.raises(TypeError, match=r"Clock\.__init__\(\) missing 1 required positional argument: 'name'"):
        Clock()
    with pytest.raises(TypeError, match="unexpected keyword argument 'minute'"):
        Clock("tower", minute=3)
    assert Clock("tower", 3) == Clock(hour=3, name="tower")


def test_it_is_called_alike():
    assert Bell(year=3, name="a") == Bell("a", 3)
    ours, theirs = (inspect.signature(one).parameters for one in (Bell, Plain))
    assert list(ours) == list(theirs)
    assert [one.kind for one in ours.values()] == [one.kind for one in theirs.values()]
    for wrong in (lambda: Bell(), lambda: Bell("a", name="b"), lambda: Bell("a", weight=3)):
        with pytest.raises(TypeError):
            wrong()


def test_without_slots_there_is_room_for_what_is_worked_out_and_nothing_else():
    tower = Open("tower")
    assert tower.letters == 5
    assert tower.marks is not Open("tower").marks
    assert tower == Open("tower") == replace(Open("x"), name="tower")
    assert pickle.loads(pickle.dumps(tower)) == copy.deepcopy(tower) == tower
    for name in ("name", "weight"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(tower, name, "x")


@pytest.mark.parametrize("odd", [field(init=False), field(repr=False), field(compare=False), field(kw_only=True)])
def test_others_are_left_to_the_standard_library(odd):
    with pytest.raises(TypeError, match="standard library"):
        quick.dataclass(frozen=False)
    with pytest.raises(TypeError, match="standard library"):
        quick.dataclass(frozen=True)(type("Odd", (), {"__annotations__": {"name": "str"}, "name": odd}))
    with pytest.raises(TypeError, match="standard library"):
        quick.dataclass(frozen=True)(type("After", (), {"__post_init__": lambda self: None}))
