"""Field words: what is taken out of a query into its filter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pincite.values.search import Filter

_QUOTED = r"[\"“”„«»]([^\"“”„«»]*)[\"“”„«»]"
_FIELD = re.compile(
    rf"(?<![^\s(])(?P<name>author|creator|by|year|date|tag|keyword|title|type|kind|in|collection|lang|language|library|group)"
    rf":(?:{_QUOTED}|(?P<value>[^\s\"“”„«»]+))",
    re.IGNORECASE,
)
_ONE_NAME = {
    "creator": "author", "by": "author", "date": "year", "keyword": "tag", "kind": "type", "collection": "in",
    "language": "lang", "group": "library",
}  # fmt: skip

_KINDS = {
    "article": ("article", "article-journal", "article-magazine", "article-newspaper"),
    "paper": ("article", "article-journal", "paper-conference"),
    "journal": ("article-journal",),
    "preprint": ("article",),
    "conference": ("paper-conference",),
    "proceedings": ("paper-conference",),
    "book": ("book",),
    "chapter": ("chapter",),
    "thesis": ("thesis",),
    "dissertation": ("thesis",),
    "report": ("report",),
    "web": ("webpage", "post-weblog", "post"),
    "webpage": ("webpage",),
    "news": ("article-newspaper",),
    "patent": ("patent",),
    "law": ("legal_case", "legislation", "bill"),
}
"""What people call kinds of work → CSL item types; any other value is taken as a CSL type itself."""

_LANGUAGES = {
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "français": "fr", "spanish": "es",
    "español": "es", "italian": "it", "portuguese": "pt", "dutch": "nl", "russian": "ru", "chinese": "zh",
    "japanese": "ja", "korean": "ko", "arabic": "ar", "hindi": "hi", "thai": "th", "turkish": "tr", "greek":
    "el", "polish": "pl", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "czech": "cs",
    "hungarian": "hu", "romanian": "ro", "hebrew": "he", "vietnamese": "vi", "ukrainian": "uk", "latin": "la",
}  # fmt: skip


@dataclass
class Fields:
    """What field words said: the filter's parts, the words that a title must hold, and the reading back."""

    parts: dict[str, set[str]] = field(default_factory=dict)
    years: tuple[int | None, int | None] | None = None
    titles: list[tuple[str, bool]] = field(default_factory=list)
    understood: list[str] = field(default_factory=list)

    def filter(self) -> Filter:
        """As a value."""
        return Filter(years=self.years, **{name: frozenset(values) for name, values in self.parts.items()})


def take_fields(text: str) -> tuple[str, Fields]:
    """A query without its field words, and what they said. A field word that cannot be meant (no such year)
    stays a word."""
    found = Fields()
    if ":" not in text:
        return text, found

    def take(match: re.Match[str]) -> str:
        name = match["name"].lower()
        quoted = match["value"] is None
        value = (match[2] if quoted else match["value"].rstrip(",;")).strip()
        return " " if value and _take(found, _ONE_NAME.get(name, name), value, quoted) else match[0]

    rest = _FIELD.sub(take, text)
    return (rest if found.understood else text), found


def _take(found: Fields, name: str, value: str, quoted: bool) -> bool:
    if name == "year":
        years = years_of(value)
        if years is None:
            return False
        found.years = years
        found.understood.append(_told_years(years))
        return True
    if name == "title":
        found.titles.append((value, quoted))
        found.understood.append(f"title holds {value}")
        return True
    key, values = {
        "author": ("creators", (value,)),
        "tag": ("tags", (value,)),
        "type": ("kinds", kinds_of(value)),
        "in": ("collections", (value,)),
        "lang": ("languages", (language_of(value),)),
        "library": ("groups", (value,)),
    }[name]
    found.parts.setdefault(key, set()).update(values)
    found.understood.append(f"{name} {value}")
    return True


def kinds_of(value: str) -> tuple[str, ...]:
    """The CSL item types that a person means by a kind of work."""
    return _KINDS.get(value.lower(), (value.lower(),))


def language_of(value: str) -> str:
    """The ISO 639-1 code of a language, given by its code or its name."""
    return _LANGUAGES.get(value.lower(), value.lower())


def told(filter: Filter) -> list[str]:
    """A filter read back, part by part."""
    named = {
        "creators": "author", "tags": "tag", "kinds": "type", "collections": "in", "languages": "lang", "groups": "library",
    }  # fmt: skip
    lines = [_told_years(filter.years)] if filter.years else []
    return lines + [f"{name} {value}" for part, name in named.items() for value in sorted(getattr(filter, part))]


def _told_years(years: tuple[int | None, int | None]) -> str:
    low, high = years
    return f"year {low}" if low == high else f"years {'' if low is None else low}..{'' if high is None else high}"


def years_of(value: str) -> tuple[int | None, int | None] | None:
    """The first and the last year that a person means ("2015", "2019-2015", ">=2015", "..2019"); None where it says no year."""
    if match := re.fullmatch(r"(\d{4})?(?:\.\.\.?|[-–])(\d{4})?", value):
        low, high = (int(year) if year else None for year in match.groups())
        if low is None and high is None:
            return None
        return (high, low) if low is not None and high is not None and low > high else (low, high)
    if match := re.fullmatch(r"([<>]=?)?(\d{4})", value):
        year = int(match[2])
        return {
            None: (year, year),
            ">": (year + 1, None),
            ">=": (year, None),
            "<": (None, year - 1),
            "<=": (None, year),
        }[match[1]]
    return None
