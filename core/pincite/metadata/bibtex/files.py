"""The files that an entry names, in the ways of JabRef, Zotero, Better BibTeX, Mendeley, BibDesk and calibre."""

from __future__ import annotations

import base64
import binascii
import plistlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.parsers.expat import ExpatError

from pincite.metadata.bibtex.entries import Entry

_URL = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
# calibre parts its files by a comma: ":/a/b.epub:EPUB, :/a/b.pdf:PDF"
_CALIBRE = re.compile(r"(?<=:[A-Z])\s*,\s*(?=:)|(?<=[A-Z0-9]{2}),\s*(?=:)")
_TYPE = re.compile(r"[A-Za-z][\w.+-]*(?:/[\w.+-]+)?$|$")
_DOCUMENT = re.compile(
    r"\.(?:pdf|epub|x?html?|md|markdown|te?xt|docx?|odt|rtf|ps|djvu|azw3?|mobi|chm)\s*$", re.IGNORECASE
)
_FIELDS = ("file", "files", "local-url", "localfile", "pdf", "ps")


@dataclass(frozen=True, slots=True)
class Named:
    """A file as an entry names it. `path` has no escapes left; `url` is set instead where it is on the web."""

    path: str = ""
    url: str = ""
    title: str = ""


def named_files(entry: Entry) -> list[Named]:
    """All files of an entry, each once, in its order."""
    found: dict[tuple[str, str], Named] = {}
    for field in _FIELDS:
        for value in entry.values(field):
            for named in _read(value):
                found.setdefault((named.path, named.url), named)
    for field in sorted(name for name in entry.fields if name.startswith("bdsk-file-")):
        path = bibdesk_path(entry.fields[field])
        if path:
            found.setdefault((path, ""), Named(path))
    return list(found.values())


def bibdesk_path(value: str) -> str:
    """The relative path in a ``bdsk-file-N`` field: base64 of a property list, plain or keyed; "" if it has none."""
    try:
        data = plistlib.loads(base64.b64decode("".join(value.split()), validate=True))
    except (binascii.Error, ValueError, ExpatError, plistlib.InvalidFileException, OverflowError, RecursionError):
        return ""
    if isinstance(data, dict) and isinstance(data.get("relativePath"), str):
        return str(data["relativePath"])
    return _keyed(data)


def _keyed(data: Any) -> str:
    """relativePath in an archive of NSKeyedArchiver: a dictionary of keys and values by reference into ``$objects``."""
    objects = data.get("$objects") if isinstance(data, dict) else None
    if not isinstance(objects, list):
        return ""

    def resolve(reference: Any) -> Any:
        if isinstance(reference, plistlib.UID):
            return objects[reference.data] if reference.data < len(objects) else None
        return reference

    for one in objects:
        if isinstance(one, dict) and isinstance(one.get("NS.keys"), list) and isinstance(one.get("NS.objects"), list):
            pairs = zip(one["NS.keys"], one["NS.objects"], strict=False)
            for key, value in pairs:
                if resolve(key) == "relativePath" and isinstance(resolve(value), str):
                    return str(resolve(value))
        if isinstance(one, dict) and isinstance(resolve(one.get("relativePath")), str):
            return str(resolve(one["relativePath"]))
    return ""


def _read(value: str) -> Iterator[Named]:
    value = _unwrap(value)
    if not value:
        return
    if _URL.match(value):
        yield Named(url=value)
        return
    if value.startswith("file:"):
        path = unquote(urlsplit(value).path)
        yield Named(path[1:] if re.match(r"/[A-Za-z]:", path) else path)
        return
    if ":" not in value and not all(_DOCUMENT.search(part) for part in value.split(";") if part.strip()):
        yield Named(_unescape(value))  # one path, with a semicolon in the name of a folder
        return
    for part in _CALIBRE.split(value):
        for one in _split(part, ";"):
            if one.strip():
                yield _one(one.strip())


def _one(part: str) -> Named:
    """``description:path:type``, ``path:type``, or a path alone."""
    pieces = _split(part, ":")
    if len(pieces) == 1:
        return Named(_unescape(part))
    if len(pieces) == 2:
        first, second = pieces
        if len(first) == 1 and second[:1] in "\\/":  # C:\paper.pdf, all there is
            return Named(_unescape(part))
        if not first:
            return Named(_unescape(second))
        if _TYPE.match(second) and "." not in second and "/" not in second:
            return Named(_unescape(first))
        return Named(_unescape(second), title=_unescape(first))
    title, *middle, kind = pieces
    if not _TYPE.match(kind):
        middle.append(kind)
    path = _unescape(":".join(middle))
    if _URL.match(path):
        return Named(url=path, title=_unescape(title))
    return Named(path, title=_unescape(title))


def _split(text: str, mark: str) -> list[str]:
    """Cuts at a mark that has no backslash before it."""
    return list(_split_escaped(text, mark)) if "\\" in text else text.split(mark)


def _split_escaped(text: str, mark: str) -> Iterator[str]:
    start = at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == mark:
            yield text[start:at]
            start = at + 1
        at += 1
    yield text[start:]


def _unescape(text: str) -> str:
    r"""``\:``, ``\;``, ``\\`` and LaTeX's escaped signs as themselves; other backslashes part folders, as on
    Windows."""
    return re.sub(r"\\([:;\\_&%#$~{} ])", r"\1", text).strip()


def _unwrap(value: str) -> str:
    r"""A value without the LaTeX that Mendeley puts into paths (``C$\backslash$:``, ``{\_}``)."""
    value = value.replace("$\\backslash$", "\\").replace("{\\_}", "_").replace("{\\&}", "&").replace("{\\%}", "%")
    return " ".join(value.replace("{", "").replace("}", "").split())
