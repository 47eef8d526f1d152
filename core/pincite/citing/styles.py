"""A citation with its locator, as pandoc, LaTeX, Typst and people write it. specs/24-citing.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pincite.citing.locators import KINDS
from pincite.text.normalise import normalise
from pincite.text.readable import readable
from pincite.values.library import Item

_SHORT = {kind.name: kind.short or kind.full for kind in KINDS}
_PLURAL = {"page": "pp.", "line": "ll.", "volume": "vols.", "figure": "figs."}
_SEVERAL = re.compile(r"\d\s*[-\u2013,]\s*\d")


@dataclass(frozen=True, slots=True)
class Place:
    """What a citation points at: a CSL locator type and its value; no value cites the work as a whole."""

    label: str = "page"
    value: str = ""

    @property
    def text(self) -> str:
        """As it is read: "p. 12", "pp. 12-15", "fig. 3"."""
        if not self.value:
            return ""
        several = _SEVERAL.search(self.value) is not None
        short = _PLURAL.get(self.label, _SHORT[self.label]) if several else _SHORT[self.label]
        return f"{short} {self.value}"


def page_place(page_label: str | None, page: int | None) -> Place:
    """The page as it is printed, where it is known, else the ordinal one, else none."""
    return Place("page", page_label or (str(page) if page else ""))


def key_of(item: Item) -> str:
    """The citation key of an item; one made of its first creator's name, its year and its title's first word where it has none."""
    if item.key:
        return item.key
    name = item.creators[0].family if item.creators else ""
    title = next((word for word in _plain(item.title).split() if len(word) > 3), "")
    made = "".join(_plain(name).split()) + (str(item.year) if item.year else "") + ("" if name and item.year else title)
    return made or re.sub(r"[^\w-]+", "-", item.id).strip("-") or "item"


def pandoc(item: Item, place: Place) -> str:
    """``[@smith2020, p. 12]`` (https://pandoc.org/MANUAL.html#citation-syntax); a key with other characters goes into braces."""
    key = key_of(item)
    simple = re.fullmatch(r"[^\W_](?:\w|[:.#$%&+?<>~/-](?=\w))*|_\w+", key)
    cited = f"@{key}" if simple else f"@{{{key}}}"
    if not place.value:
        return f"[{cited}]"
    plain = re.fullmatch(r"[\w\s,.:\u2013-]*\d[\w\s,.:\u2013-]*|[ivxlcdm]+", place.value, re.IGNORECASE)
    return f"[{cited}, {place.text}]" if plain else f"[{cited}, {{{place.text}}}]"


def latex(item: Item, place: Place) -> str:
    """``\\autocite[12]{smith2020}`` (biblatex): a page is given bare, as the package names it itself."""
    if not place.value:
        return f"\\autocite{{{key_of(item)}}}"
    bare = place.label == "page" and re.fullmatch(r"[\dIVXLCDMivxlcdm\s,\u2013-]+", place.value)
    note = place.value.replace("\u2013", "--") if bare else place.text
    note = _latex_text(note)
    return f"\\autocite[{{{note}}}]{{{key_of(item)}}}" if "]" in note else f"\\autocite[{note}]{{{key_of(item)}}}"


def typst(item: Item, place: Place) -> str:
    """``@smith2020[p. 12]``, or the call where a key cannot stand behind an @ (https://typst.app/docs/reference/model/cite/)."""
    key = key_of(item)
    supplement = re.sub(r"([\\#*_`$<>@\[\]])", r"\\\1", place.text)
    if re.fullmatch(r"\w(?:[\w.:-]*\w)?", key):
        return f"@{key}[{supplement}]" if supplement else f"@{key}"
    label = 'label("' + key.replace("\\", "\\\\").replace('"', '\\"') + '")'
    return f"#cite({label}, supplement: [{supplement}])" if supplement else f"#cite({label})"


def plain(item: Item, place: Place) -> str:
    """``(Smith and Jones 2020, p. 12)``: author and date, for running text."""
    people = [one for one in item.creators if one.role == "author"] or [
        one for one in item.creators if one.role == "editor"
    ]
    names = [one.family or one.given for one in people or item.creators]
    if not names:
        who = f"“{item.title}”" if item.title else key_of(item)
    elif len(names) == 1:
        who = names[0]
    elif len(names) == 2:
        who = f"{names[0]} and {names[1]}"
    else:
        who = f"{names[0]} et al."
    when = str(item.year) if item.year else item.date or "n.d."
    return readable(f"({who} {when}, {place.text})" if place.value else f"({who} {when})")


STYLES: dict[str, Callable[[Item, Place], str]] = {"pandoc": pandoc, "latex": latex, "typst": typst, "plain": plain}


def _plain(text: str) -> str:
    return re.sub(r"[^\w\s]|_", "", normalise(text).text)


def _latex_text(text: str) -> str:
    escapes = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(escapes.get(char, f"\\{char}" if char in "#$%&_{}" else char) for char in text)
