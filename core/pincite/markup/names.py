"""Names of elements, roles and classes, by what they mean for the text."""

from __future__ import annotations

import re

from pincite.markup.parse import Element, local_name


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"

BLOCKS = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre section summary table "
    "tbody td tfoot th thead tr ul frameset noframes"
)
SKIPPED = _words(
    "script style template noscript noembed iframe object embed applet audio video canvas svg map select option "
    "datalist textarea input button meter progress rp rt rtc head title link meta colgroup col param source track"
)
INLINE_HIDABLE = _words("span i b em a svg small sup sub img image")

_NOTES = _words("footnote footnotes endnote endnotes rearnote rearnotes note doc-footnote doc-endnote doc-endnotes")
_NOTE_CLASSES = _words("footnote footnotes endnote endnotes fn fnote footnote-text footnotetext rearnote")
_NOTE_REFERENCES = _words(
    "noteref footnote-ref footnoteref footnote-reference doc-noteref fnref endnoteref footnote-anchor"
)
_BACKLINKS = _words(
    "footnote-back footnote-backref backlink doc-backlink headerlink anchorjs-link mw-editsection fn-backref "
    "mw-cite-backlink heading-anchor"
)
_BIBLIOGRAPHY = _words(
    "bibliography biblioentry doc-bibliography doc-biblioentry references reference-list ref-list reflist csl-bib-body "
    "csl-entry citation-list citations-list bib-entry bibliolist c-article-references"
)
_ABSTRACT = _words("abstract doc-abstract article__abstract article-abstract")
_NAVIGATION = _words("navigation toc landmarks page-list doc-toc index doc-pagelist lot loi")
_MATH_RENDERED = re.compile(r"(?:^|\s)(?:MathJax\w*|MJX\w*|mjx-chtml|katex-html)(?:\s|$)")
_NUMBER_MARK = re.compile(
    r"^[\s\[({]*(?:\d{1,3}(?:\s*[,–\-]\s*\d{1,3})*|[a-z]{1,2}|[ivx]{1,5}|[*†‡§¶#]{1,3})[\s\])}]*$"
)


def tokens(element: Element) -> frozenset[str]:
    """All that an element says of its own meaning: epub:type, role, class and id, in lower case."""
    get = element.get
    said = f"{get(EPUB_TYPE) or ''} {get('epub:type') or ''} {get('role') or ''} {get('class') or ''} {get('id') or ''}"
    return frozenset(said.lower().split())


def semantics(element: Element) -> frozenset[str]:
    """What an element declares by epub:type and role alone."""
    get = element.get
    return frozenset(f"{get(EPUB_TYPE) or ''} {get('epub:type') or ''} {get('role') or ''}".lower().split())


def is_note(name: str, element: Element, said: frozenset[str]) -> bool:
    """Whether an element is a footnote, an endnote, or a list of them."""
    if name in ("body", "html", "a", "sup", "span"):
        return False
    return bool(_NOTES & semantics(element)) or bool(_NOTE_CLASSES & said)


def is_note_reference(name: str, element: Element, said: frozenset[str]) -> bool:
    """Whether an element is the raised number that leads to a note or a reference."""
    if name not in ("a", "sup", "span"):
        return False
    if _NOTE_REFERENCES & said:
        return len(element.xpath("string()")) <= 16
    if name != "sup":
        return False
    link = next((child for child in element.iter() if local_name(child) == "a"), None)
    return link is not None and "#" in (link.get("href") or "") and bool(_NUMBER_MARK.match(element.xpath("string()")))


def is_backlink(said: frozenset[str]) -> bool:
    """Whether an element leads back to where a note was called, or to its own heading."""
    return bool(_BACKLINKS & said)


def is_permalink(name: str, element: Element) -> bool:
    """Whether an element inside a heading is the sign that links to the heading itself."""
    return name == "a" and element.xpath("string()").strip() in ("#", "¶", "§", "🔗", "\u200b", "link")


def is_bibliography_element(name: str, said: frozenset[str]) -> bool:
    """Whether an element holds references."""
    return name in ("ol", "ul", "dl", "div", "section", "li", "p", "table") and bool(_BIBLIOGRAPHY & said)


def is_abstract(said: frozenset[str]) -> bool:
    """Whether an element holds the abstract."""
    return bool(_ABSTRACT & said)


def is_navigation(name: str, element: Element) -> bool:
    """Whether an element is for moving about, not for reading."""
    return name in ("nav", "menu") or bool(_NAVIGATION & semantics(element))


def is_page_break(element: Element) -> bool:
    """Whether an element marks where a page of the printed book begins."""
    return bool(frozenset(("pagebreak", "doc-pagebreak")) & semantics(element))


def is_rendered_math(element: Element) -> bool:
    """Whether an element is the picture of a formula whose source stands beside it."""
    return bool(_MATH_RENDERED.search(element.get("class") or ""))


def is_hidden(name: str, element: Element) -> bool:
    """Whether an element is not shown. `aria-hidden` counts on inline elements only: a dialogue that is open hides the
    whole page behind it that way."""
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return True
    style = element.get("style")
    if style and re.search(r"display\s*:\s*none|visibility\s*:\s*hidden", style):
        return True
    return element.get("aria-hidden") == "true" and name in INLINE_HIDABLE


_FILE_NAME = re.compile(r"\.(?:jpe?g|png|gif|svg|webp|tiff?|bmp|pdf)$", re.IGNORECASE)


def useful_alt(alt: str) -> bool:
    """Whether the text of a picture says something: three words or more (six characters where no spaces are
    written)."""
    if _FILE_NAME.search(alt):
        return False
    wide = sum(1 for char in alt if char.isalpha() and ord(char) >= 0x2E80)
    return wide >= 6 or sum(any(map(str.isalpha, word)) for word in alt.split()) >= 3


_TEX_ALT = re.compile(r"^\s*(?:\$|\\[a-zA-Z(\[]|\{\\)|[\\^_]\{")


def is_formula_alt(element: Element, alt: str) -> bool:
    """Whether a picture is that of a formula, and its text the source."""
    said = f"{element.get('class') or ''} {element.get('role') or ''}".lower()
    return bool(re.search(r"\b(?:math|tex|latex|equation|mwe-math\S*)\b", said) or _TEX_ALT.search(alt))
