"""What an entry inherits: all of ``xdata``, and of ``crossref`` what describes the whole that it is a part of.

Source: biblatex manual 2.4.1 and appendix B; plain BibTeX's rule (missing fields are taken from the parent) is its
special case. What belongs to the parent itself (its DOI, abstract, files, keywords, notes) is not the child's.
"""

from __future__ import annotations

from pincite.metadata.bibtex.entries import Entry

_PARTS = frozenset(
    (
        "article",
        "bookinbook",
        "conference",
        "inbook",
        "incollection",
        "inproceedings",
        "inreference",
        "suppbook",
        "suppcollection",
        "suppperiodical",
    )
)
_OWN = frozenset(
    (
        "abstract",
        "annotation",
        "annote",
        "bibsource",
        "biburl",
        "crossref",
        "date-added",
        "date-modified",
        "doi",
        "entryset",
        "entrysubtype",
        "eprint",
        "eprinttype",
        "execute",
        "file",
        "groups",
        "ids",
        "keywords",
        "label",
        "local-url",
        "localfile",
        "note",
        "options",
        "owner",
        "pages",
        "pdf",
        "presort",
        "ps",
        "related",
        "relatedoptions",
        "relatedstring",
        "relatedtype",
        "shorthand",
        "shorttitle",
        "sortkey",
        "sorttitle",
        "timestamp",
        "url",
        "urldate",
        "xdata",
        "xref",
    )
)
_TITLES = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}


def inherit(entries: list[Entry]) -> None:
    """Fills in what entries inherit, in place; a parent may stand before or after its children."""
    by_key: dict[str, Entry] = {}
    for entry in entries:
        if entry.key:  # one without a key is nobody's parent
            by_key.setdefault(entry.key.lower(), entry)
    done: set[int] = set()
    for entry in entries:
        _complete(entry, by_key, done)


def _complete(entry: Entry, by_key: dict[str, Entry], done: set[int]) -> None:
    if id(entry) in done:
        return
    done.add(id(entry))  # set first: a circle of references ends here
    for name in ("xdata", "crossref"):
        for key in entry.fields.get(name, "").split(","):
            parent = by_key.get(key.strip().lower())
            if parent is None or parent is entry:
                continue
            _complete(parent, by_key, done)
            if name == "xdata":
                for field, value in parent.fields.items():
                    entry.fields.setdefault(field, value)
            else:
                _from_whole(entry, parent)


def _from_whole(entry: Entry, parent: Entry) -> None:
    part = entry.type in _PARTS
    for field, value in parent.fields.items():
        if field in _OWN or field.startswith("bdsk-"):
            continue
        if part and field in _TITLES:
            field = "journaltitle" if parent.type == "periodical" and field == "title" else _TITLES[field]
        # the volume's editor is not the author of a paper in it, but the author of a book is of its chapter
        if field == "author" and part and "editor" in entry.fields and "author" not in entry.fields:
            field = "bookauthor"
        entry.fields.setdefault(field, value)
