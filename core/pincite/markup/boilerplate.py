"""Which elements of a web page are no part of the work: menus, banners, notices, lists of links."""

from __future__ import annotations

import re
from typing import Any

from pincite.markup.parse import Element, local_name

MAIN_SHARE = 0.5
"""A main element (or one article) with this share of the page's text is the work, and nothing outside it is."""

LINKED = 0.6
"""A block with this share of its text in links, and a class that speaks of menus, is one."""

PROSE = 400
"""Characters outside links; an element with as many is text, whatever its class says ("sharing-a-flat" is a heading's
id)."""

_ROLES = frozenset(
    ("banner", "contentinfo", "navigation", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog")
)
_ALWAYS = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|skip-?(?:link|nav)|advert\w*|ads?|sponsor\w*|newsletter|subscribe"
    r"|social|share|sharing|sharebar|popup|modal|paywall|pagination|pager|print-only|noprint|toc"
    r"|table-of-contents|navbox|sidebar-nav|site-(?:header|footer)|page-(?:header|footer)|masthead|catlinks|mw-(?:navigation|jump\S*)"
    r"|vector-\S+|related-(?:posts|articles|links|content)|recommended|outbrain|taboola|printfooter|jump-to-nav)(?:$|[\s_-])"
)
_PERHAPS = re.compile(
    r"(?:^|[\s_-])(?:nav\w*|menu\w*|sidebar|side|footer|header|foot|widget\w*|links?|related|tags?|topbar|bottom|comments?"
    r"|meta|tools?|extra|recommend\w*|hot|more|recent\w*|archives?|categor\w*)(?:$|[\s_-])"
)
_NEVER = frozenset(("html", "body", "main", "article", "p", "a", "span", "h1", "h2", "h3"))
_LISTS = frozenset(("ul", "ol", "table", "div", "dl"))
_PARTS = frozenset(("article", "main", "section", "blockquote"))
_SKIPPED = frozenset(("script", "style", "noscript", "template", "head"))


class _Sizes:
    """Letters in and below each element, how many of them stand in links, and how many links there are."""

    def __init__(self, root: Element) -> None:
        self.text: dict[Any, int] = {}
        self.linked: dict[Any, int] = {}
        self.links: dict[Any, int] = {}
        for element in _bottom_up(root):
            name = local_name(element)
            size = 0 if name in _SKIPPED else len((element.text or "").strip())
            linked = 0
            links = int(name == "a")
            for child in element:
                links += self.links.get(child, 0)
                if name not in _SKIPPED:
                    size += self.text.get(child, 0) + len((child.tail or "").strip())
                    linked += self.linked.get(child, 0)
            self.text[element] = size
            self.linked[element] = size if name == "a" else linked
            self.links[element] = links

    def density(self, element: Element) -> float:
        """Share of an element's text that stands in links."""
        return self.linked[element] / max(1, self.text[element])


def _bottom_up(root: Element) -> list[Element]:
    """Every element after its children. Holding on to them keeps each element one object."""
    return [element for element in root.iter() if isinstance(element.tag, str)][::-1]


def boilerplate(root: Element) -> frozenset[Any]:
    """The elements whose text is excluded; nothing is where that would leave less than a quarter of the page."""
    sizes = _Sizes(root)
    total = sizes.text[root]
    out: set[Any] = set()
    main = _main(sizes, total)
    inside: set[Any] = set()
    if main is not None:
        inside = set(main.iter())
        above = set(main.iterancestors())
        for ancestor in above:
            beside = (child for child in ancestor if isinstance(child.tag, str))
            out.update(child for child in beside if child is not main and child not in above)
    for element in sizes.text:
        if sizes.text[element] < 0.5 * total and element is not main and _is_furniture(element, sizes, inside):
            out.add(element)
    if _left(sizes, root, out) < total / 4:
        return frozenset(element for element in out if element.get("role") in _ROLES or local_name(element) == "nav")
    return frozenset(out)


def _main(sizes: _Sizes, total: int) -> Element | None:
    """The element that holds the work, where the page names one."""
    mains = [e for e in sizes.text if local_name(e) == "main" or e.get("role") == "main"]
    articles = [e for e in sizes.text if local_name(e) == "article"]
    for candidates, share in ((mains, MAIN_SHARE / 2), (articles, MAIN_SHARE)):
        best = max(candidates, key=lambda e: sizes.text[e], default=None)
        if best is not None and sizes.text[best] >= share * total:
            return best
    return None


def _is_furniture(element: Element, sizes: _Sizes, inside: set[Any]) -> bool:
    name = local_name(element)
    if name in _NEVER:
        return False
    if element.get("role") in _ROLES:
        return True
    density = sizes.density(element)
    if name in ("header", "footer"):
        within = any(local_name(above) in _PARTS for above in element.iterancestors())
        return not within or density > LINKED
    said = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
    small = sizes.text[element] - sizes.linked[element] < PROSE and name != "section"
    if small and (_ALWAYS.search(said) or (_PERHAPS.search(said) and density > LINKED)):
        return True
    if name == "aside":
        return density > LINKED
    if name not in _LISTS or sizes.text[element] <= 20:
        return False
    links = sizes.links[element]
    return links >= 10 and density > 0.9 if element in inside else links >= 4 and density > 0.8


def _left(sizes: _Sizes, root: Element, out: set[Any]) -> int:
    """Text outside the excluded elements."""
    gone = 0
    within: set[Any] = set()
    for element in reversed(sizes.text):  # from the root down
        if element in out or element.getparent() in within:
            within.add(element)
            gone += sizes.text[element] if element.getparent() not in within else 0
    return sizes.text[root] - gone
