"""LaTeX in field values → text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from pincite.metadata.bibtex.accents import finish, replace_common

_PLAIN = re.compile(r"[\\{}$~]|--|``|''")
_INSIDE = r"((?:[^$\\]|\\.)+?)"
_MATH = re.compile(rf"(?<!\\)\$(?:(?=\d){_INSIDE}(?<!\s)\$(?!\d)|(?!\d){_INSIDE}\$)", re.DOTALL)
"""Between the signs of "from $5 to $6" stands no formula: one that begins with a digit does not end after a space or before a digit."""
_LONE = re.compile(r"(?<!\\)[$&]")
"""A sign of money, and an "and": fields have them bare, where LaTeX would begin a formula or a column."""
_DEGREE = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))")
_SCRIPT = re.compile(r"[_^](?:\{([^{}]*)\}|(\w))")
_COMMENT = re.compile(r"(?<!\\)%")
_OVERLINE = re.compile(r"\\overline(?![A-Za-z])")
_VERBATIM_ESCAPE = re.compile(r"\\([_%&#$~{}])")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s*|\\.")


def latex_to_text(value: str) -> str:
    """A value as one line of text: accents and symbols composed (NFC), braces and commands taken out, formulas as
    far as they can be written. A paragraph break becomes an empty line. Nothing raises: what is no LaTeX stays as it
    is."""
    if _PLAIN.search(value):
        value = _convert(value)
    return _tidy(value)


def verbatim(value: str) -> str:
    """A value that is no LaTeX (URL, DOI, file name): only braces and the escapes that exporters add are taken out."""
    if "\\" in value or "$" in value:
        value = _VERBATIM_ESCAPE.sub(r"\1", value.replace("$\\sim$", "~"))
    return " ".join(value.replace("{", "").replace("}", "").split())


def _convert(value: str) -> str:
    common = replace_common(_DEGREE.sub("°", value))
    text = finish(common)
    if text is not None:
        return text
    common = _written(common)
    text = finish(common)
    if text is not None:
        return text
    # a percent sign is no comment in a field
    common = _COMMENT.sub(r"\\%", _OVERLINE.sub(r"\\bar", common))
    try:
        return str(_converter().latex_to_text(common))
    except Exception:  # pylatexenc fails on some broken input in several ways; the words are still there
        return _COMMAND.sub("", common).replace("{", "").replace("}", "").replace("$", "")


def _written(value: str) -> str:
    """With the indices of formulas beside their letters (H_2O → H2O), and what is meant as a sign outside of them escaped."""
    out, at = [], 0
    for found in _MATH.finditer(value):
        out += [_escaped(value[at : found.start()]), _SCRIPT.sub(r"\1\2", found.group())]
        at = found.end()
    return "".join([*out, _escaped(value[at:])])


def _escaped(text: str) -> str:
    return _LONE.sub(r"\\\g<0>", text)


@lru_cache(maxsize=1)
def _converter() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text(math_mode="text", keep_comments=True, strict_latex_spaces=False)


def _tidy(value: str) -> str:
    if "\n" in value:
        paragraphs = (" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", value))
        value = "\n\n".join(part for part in paragraphs if part)
    else:
        value = " ".join(value.split())
    return value if value.isascii() else unicodedata.normalize("NFC", value)
