"""Where text stands in a tree: CSS selectors for HTML, paths of canonical fragment identifiers for EPUB."""

from __future__ import annotations

import re
from collections import Counter

from pincite.markup.parse import Element
from pincite.markup.reader import Frame

_PLAIN_ID = re.compile(r"[A-Za-z_][\w-]*\Z", re.ASCII)


class CssAddresses:
    """A run's target is a selector of the innermost block element (paragraph, item, cell …), its offset counts in that
    element's text content. A selector begins at the nearest element whose id is unique, else at the body."""

    def __init__(self, root: Element) -> None:
        self._ids = Counter(root.xpath("//@id"))
        self._selectors: dict[int, tuple[Frame, str]] = {}

    def text(self, frame: Frame, position: int) -> tuple[str, int]:
        """See `pincite.markup.reader.Address`."""
        holder = frame.holder()
        return self.selector(holder), position - holder.begin

    def image(self, frame: Frame, element: Element, number: int, kin: int) -> str:
        """See `pincite.markup.reader.ImageAddress`."""
        own = self._own(element)
        return own or f"{self.selector(frame)}>{_step(str(element.tag), kin)}"

    def selector(self, frame: Frame) -> str:
        """The selector of an element that is open."""
        above: list[Frame] = []
        at: Frame | None = frame
        selector = ""
        while at is not None and not selector:
            known = self._selectors.get(id(at))
            selector = known[1] if known else self._own(at.element)
            if not selector and (at.parent is None or at.name in ("body", "html")):
                selector = at.name
            if not known:
                above.append(at)
            at = at.parent
        first = True
        for at in reversed(above):
            begins = first and (self._own(at.element) or at.parent is None or at.name in ("body", "html"))
            first = False
            if not begins:
                selector = f"{selector}>{_step(at.name, at.kin)}"
            self._selectors[id(at)] = (at, selector)
        return selector

    def _own(self, element: Element) -> str:
        value = element.get("id") or ""
        if not value or self._ids[value] != 1:
            return ""
        if _PLAIN_ID.match(value):
            return f"#{value}"
        return '[id="{}"]'.format(value.replace("\\", "\\\\").replace('"', '\\"')) if value.isprintable() else ""


def _step(name: str, kin: int) -> str:
    """One step of a selector. Characters of a name that mean something in CSS are escaped (``o\\:p``)."""
    plain = re.sub(r"([^\w-])", r"\\\1", name)
    return f"{plain}:nth-of-type({kin})"


class CfiAddresses:
    """A run's target is the CFI path of its text node, `spine` + the steps in the document; its offset counts in that
    node. Elements have even steps, the text before, between and after them odd ones (EPUB CFI 1.1, section 3.1)."""

    def __init__(self, spine: str) -> None:
        self._spine = spine
        self._paths: dict[int, tuple[Frame, str]] = {}

    def text(self, frame: Frame, position: int) -> tuple[str, int]:
        """See `pincite.markup.reader.Address`."""
        return f"{self.path(frame)}/{2 * frame.elements + 1}", frame.chunk

    def image(self, frame: Frame, element: Element, number: int, kin: int) -> str:
        """See `pincite.markup.reader.ImageAddress`."""
        return f"{self.path(frame)}/{2 * number}"

    def path(self, frame: Frame) -> str:
        """The path of an element that is open; the root is what the spine step leads to."""
        above: list[Frame] = []
        at = frame
        while at.parent is not None and id(at) not in self._paths:
            above.append(at)
            at = at.parent
        path = self._paths[id(at)][1] if id(at) in self._paths else f"{self._spine}!"
        for at in reversed(above):
            path = f"{path}/{2 * at.number}"
            self._paths[id(at)] = (at, path)
        return path
