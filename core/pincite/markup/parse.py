"""Marked-up text → a tree of lxml elements, whatever is wrong with it. Nothing is fetched and no entity is expanded."""

from __future__ import annotations

import html
import html.entities
import re
from typing import Any

Element = Any
"""An lxml element."""

_DOCTYPE = re.compile(r"<!DOCTYPE\s+[^\[>]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\]\s*)?>", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml\b[^>]*\?>")
_NAMED = re.compile(r"&([A-Za-z_:][\w.:\-]{0,63});")
_XML_OWN = frozenset(("amp", "lt", "gt", "quot", "apos"))
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
# An element closed in itself, which HTML takes for one that is open: after <title/> all text would be title.
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:\-]*)([^<>]*?)/>")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "wbr")
)
# A data: URI in an attribute: pictures of a page saved as one file. The words never need them.
_DATA_URI = re.compile(r"=(\"data:[^\"<>]{256,}\"|'data:[^'<>]{256,}')")
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:\-]+)[\"']")
_META_CHARSET = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:\-]+)", re.IGNORECASE)


def declared_encoding(data: bytes) -> str:
    """The label that a file gives its own encoding: in its XML declaration or in a meta element of its first 4 KiB;
    "" if none."""
    head = data[:4096]
    found = _XML_ENCODING.search(head) or _META_CHARSET.search(head)
    return found[1].decode("ascii", "replace") if found else ""


def _prepared(text: str) -> str:
    """Line ends as a browser makes them, and no character that a tree cannot hold (each is replaced by one)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _NOT_XML.sub("\ufffd", text)


def parse_html(text: str) -> Element | None:
    """The root of an HTML document, or None where there is nothing in it. Tables get the body that a browser gives
    them."""
    from lxml import etree

    source = _DATA_URI.sub('="data:,"', _prepared(text))
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_comments=False)
    try:
        root = etree.fromstring(source.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is not None:
        _complete_tables(root)
    return root


def parse_xml(text: str, recover: bool = False) -> Element | None:
    """The root of an XML document, or None where it is not well-formed (`recover`: where nothing can be made of it).

    The document type is taken off before parsing, so that there is no entity to expand; the names that XHTML defines
    are put in as characters, any other is left as it is written.
    """
    from lxml import etree

    source = _DECLARATION.sub("", _prepared(text).lstrip("\ufeff"))
    source = _DOCTYPE.sub("", source, count=1)
    source = _NAMED.sub(_character, source)
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=recover,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=True,
        remove_comments=False,
        strip_cdata=True,
    )
    try:
        return etree.fromstring(source.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def parse_xhtml(text: str) -> Element | None:
    """The root of an XHTML document; one that is not well-formed is read as HTML."""
    root = parse_xml(text)
    if root is not None:
        return root
    root = parse_html(_SELF_CLOSED.sub(_closed, _DECLARATION.sub("", text)))
    if root is not None and not any(local_name(child) == "head" for child in root):
        root.insert(0, root.makeelement("head", {}))  # as browsers do; a CFI counts on it
    return root


def _closed(found: re.Match[str]) -> str:
    name = found[1].lower()
    return found.group() if name in _VOID else f"<{found[1]}{found[2]}></{found[1]}>"


def _character(found: re.Match[str]) -> str:
    name = found[1]
    if name in _XML_OWN:
        return found.group()
    value = html.entities.html5.get(name + ";")
    return value if value is not None else f"&amp;{name};"


def _complete_tables(root: Element) -> None:
    """Puts rows that stand directly in a table into a tbody, as browsers do (HTML, "in table" insertion mode), so that
    selectors fit the tree that a browser has."""
    for table in root.iter("table"):
        rows = [child for child in table if child.tag == "tr"]
        if not rows:
            continue
        body = None
        for child in list(table):
            if child.tag == "tr":
                if body is None:
                    body = table.makeelement("tbody", {})
                    table.insert(table.index(child), body)
                body.append(child)
            elif isinstance(child.tag, str):
                body = None


def local_name(element: Element) -> str:
    """The name of an element in lower case, without its namespace; "" for a comment or the like."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2].lower()
