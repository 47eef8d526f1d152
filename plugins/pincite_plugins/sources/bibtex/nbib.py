"""NBIB: PubMed's tagged format. A tag of up to four letters, ``- ``, a value; six blanks continue it.

Source: https://www.nlm.nih.gov/bsd/mms/medlineelements.html
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from pincite.metadata.bibtex import Bibliography
from pincite.metadata.dates import from_parts, month_number, year_of
from pincite.metadata.identifiers import clean_doi, clean_isbn, identifiers
from pincite.metadata.ids import repeated, unique_ids
from pincite.metadata.languages import language_code
from pincite.metadata.markup import html_to_text, strip_tags
from pincite.values.library import Creator, Item, Problem, Record

_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) *- ?(.*)$")
_Fields = dict[str, list[str]]

_KINDS = (
    ("book chapter", "chapter"),
    ("book", "book"),
    ("news", "article-newspaper"),
    ("dataset", "dataset"),
    ("preprint", "article"),
    ("", "article-journal"),
)


def read_nbib(path: Path, text: str, directory: Path | None) -> Bibliography:
    """The records of a file. `directory` is of no use here: the format names no files."""
    found = list(_split(text))
    keys = [f"PMID:{fields['PMID'][0]}" if fields["PMID"] else "" for fields in found]
    ids = unique_ids(keys, [repr(sorted(fields.items())) for fields in found])
    twice = repeated(keys)
    records = tuple(Record(_item(fields, id)) for fields, id in zip(found, ids, strict=True))
    return Bibliography(records, (Problem(str(path), twice),) if twice else ())


def _split(text: str) -> Iterator[_Fields]:
    fields: _Fields = defaultdict(list)
    tag = ""
    for line in text.splitlines():
        started = _LINE.match(line)
        if started:
            tag, value = started.groups()
            if tag == "PMID" and fields["PMID"]:
                yield fields
                fields = defaultdict(list)
            fields[tag].append(value.strip())
        elif line.startswith(" ") and tag:
            fields[tag][-1] = f"{fields[tag][-1]} {line.strip()}".strip()
    if any(fields.values()):
        yield fields


def _item(fields: _Fields, id: str) -> Item:
    written = _first(fields, "DP")
    year = year_of(written) or year_of(_first(fields, "DEP")[:4])
    month = next((number for word in written.split()[1:2] if (number := month_number(word))), None)
    doi = next(
        (clean_doi(value) for name in ("LID", "AID") for value in fields[name] if value.endswith("[doi]")),
        clean_doi(_first(fields, "SO")),
    )
    title = strip_tags(_first(fields, "TI", "BTI"))
    other = strip_tags(_first(fields, "TT"))
    types = " ".join(fields["PT"]).lower()
    return Item(
        id=id,
        kind=next(kind for word, kind in _KINDS if word in types),
        title=title or other,
        alternative_titles=(other,) if other and title and other != title else (),
        creators=tuple(_creators(fields)),
        year=year,
        date=from_parts(year, month)[1],
        venue=strip_tags(_first(fields, "JT", "TA", "CTI")),
        publisher=_first(fields, "PB"),
        abstract=html_to_text(_first(fields, "AB", "OAB")),
        language=language_code(_first(fields, "LA")),
        doi=doi,
        isbn=clean_isbn(_first(fields, "ISBN")),
        identifiers=identifiers(pmid=_first(fields, "PMID"), pmcid=_first(fields, "PMC"), issn=_first(fields, "IS")),
        tags=tuple(dict.fromkeys(word.lstrip("*") for word in [*fields["OT"], *fields["MH"]] if word)),
        link=f"https://pubmed.ncbi.nlm.nih.gov/{_first(fields, 'PMID')}/" if fields["PMID"] else "",
    )


def _first(fields: _Fields, *names: str) -> str:
    return next((value for name in names for value in fields[name] if value), "")


def _creators(fields: _Fields) -> Iterator[Creator]:
    for name in fields["FAU"] or fields["AU"]:
        family, comma, given = (part.strip() for part in name.partition(","))
        if not comma and not fields["FAU"]:  # "Shruthi BS"
            family, _, given = name.rpartition(" ")
        if family or given:
            yield Creator(family or given, given if family else "", "author")
    for name in fields["FED"]:
        family, _, given = (part.strip() for part in name.partition(","))
        yield Creator(family, given, "editor")
    for body in fields["CN"]:
        yield Creator(body, "", "author")
