"""Words on a command line that begin with a hyphen: ``pincite search kelp -storms`` leaves a word out, ``-80`` is a number; neither is
a mistyped option."""

import re
from collections.abc import Sequence
from typing import Any

WORDY = frozenset({"query", "quote"})
"""Arguments that take a person's words."""

_ONE = re.compile(r"-[^\W\d_]{2,}|-\d|-[\"“„«]")
_SEVERAL = re.compile(r"-(?:[^\W\d_]{2,}\s|\s)")


def as_words(args: Sequence[str], valued: frozenset[str]) -> list[str]:
    """The arguments with a space before each that is meant as words, which the parser of options then passes by.

    `valued`: the options that take a value. What follows one of them is its value, and ``-lNAME`` is one with its value attached.
    """
    attached = tuple(option for option in valued if len(option) == 2)
    done: list[str] = []
    for at, arg in enumerate(args):
        if arg == "--":
            return [*done, *args[at:]]
        is_value = at > 0 and args[at - 1] in valued
        if not is_value and (_SEVERAL.match(arg) or (_ONE.match(arg) and not arg.startswith(attached))):
            arg = f" {arg}"
        done.append(arg)
    return done


def typed(params: Sequence[Any], args: Sequence[str]) -> list[str]:
    """`as_words` for a command that takes a person's words; any other's arguments are left alone."""
    if not any(param.name in WORDY for param in params):
        return list(args)
    options = [param for param in params if param.param_type_name == "option"]
    valued = frozenset(name for param in options if not param.is_flag for name in param.opts)
    return as_words(args, valued)
