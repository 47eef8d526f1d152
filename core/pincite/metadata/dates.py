"""Dates of works: the year, and a date as far as it is known, ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``."""

from __future__ import annotations

import re
from typing import Any

_ISO = re.compile(r"(?<!\d)(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)")
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2}|21[0-9]{2})(?!\d)")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero",
            "feb february februar fevrier février febrero",
            "mar march märz mars marzo",
            "apr april avril abril",
            "may mai mayo",
            "jun june juni juin junio",
            "jul july juli juillet julio",
            "aug august août agosto",
            "sep sept september septembre septiembre",
            "oct october oktober octobre octubre",
            "nov november novembre noviembre",
            "dec december dezember décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}


def year_of(text: str) -> int | None:
    """The first year in a date of any form, or None. A full ISO date's year wins, whatever its century."""
    iso = re.match(r"\s*(\d{4})(?![\d])", text)
    if iso and int(iso.group(1)):
        return int(iso.group(1))
    found = _YEAR.search(text)
    return int(found.group()) if found else None


def iso_date(text: str) -> str:
    """A date as far as it can be read (``2011-05-25~/2012`` → ``2011-05-25``, ``2014//`` → ``2014``), or the text."""
    text = text.strip()
    found = _ISO.match(text)
    if found and int(found.group(1)):
        return _join(*found.groups())
    return text


def month_number(text: str) -> int | None:
    """The number of a month's name (English, German, French, Spanish; abbreviated too) or number, or None."""
    word = re.split(r"[\s.~/-]", text.strip().lower(), maxsplit=1)[0]
    if word.isdecimal():
        return int(word) if 1 <= int(word) <= 12 else None
    return _MONTHS.get(word)


def from_parts(year: object, month: object = None, day: object = None) -> tuple[int | None, str]:
    """(year, date) of a date in parts, each a number or its text; a part that is no number is left out."""
    number = _integer(year)
    if number is None:
        return None, ""
    return number, _join(f"{number:04d}", _text(_integer(month)), _text(_integer(day)))


def from_csl(value: Any) -> tuple[int | None, str]:
    """(year, date) of a CSL date variable: ``date-parts`` (of a range the beginning), ``raw`` or ``literal``.

    Source: https://docs.citationstyles.org/en/stable/specification.html#dates and the CSL-JSON schema. A season is no
    month and is left out.
    """
    if not isinstance(value, dict):
        text = str(value or "")
        return year_of(text), iso_date(text)
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return from_parts(*parts[0][:3])
    text = str(value.get("raw") or value.get("literal") or "")
    return year_of(text), iso_date(text)


def _integer(value: object) -> int | None:
    try:
        return int(str(value).strip())
    except ValueError:
        return None


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)


def _join(year: str, month: str | None, day: str | None) -> str:
    if not month or not 1 <= int(month) <= 12:
        return year
    if not day or not 1 <= int(day) <= 31:
        return f"{year}-{int(month):02d}"
    return f"{year}-{int(month):02d}-{int(day):02d}"
