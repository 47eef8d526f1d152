"""What the text of an element is: its kind, whether it is part of the work, and what is handed down to the elements in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pincite.markup import names
from pincite.markup.parse import Element, local_name
from pincite.markup.tables import is_data_table
from pincite.values.pack import BlockKind, Flow


@dataclass(frozen=True, slots=True)
class Sense:
    """What the text at a place is, handed down from element to element."""

    kind: BlockKind = BlockKind.PARAGRAPH
    flow: Flow = Flow.BODY
    level: int = 0
    role: str = ""
    reference: bool = False
    raw: bool = False
    mute: bool = False
    table: bool = False


def sense_within(
    above: Sense, element: Element, name: str, said: frozenset[str] = frozenset(), *, block: bool, excluded: bool
) -> Sense:
    """What the text of an element is, in one whose text is `above`.

    `name`: the element's, without a namespace. `said`: what it says of itself (`names.tokens`). `block`: whether it is a block.
    `excluded`: whether its text is known to be no part of the work."""
    sense = above
    if excluded or name == "nav" or (said and names.is_navigation(name, element)):
        sense = replace(sense, flow=Flow.EXCLUDED)
    if said and names.is_note(name, element, said):
        sense = replace(sense, kind=BlockKind.NOTE, flow=_aside(sense.flow))
    if said and names.is_bibliography_element(name, said):
        sense = replace(sense, reference=True)
    if said and block and names.is_abstract(said):
        sense = replace(sense, role="abstract")
    level = _level_of(name, element)
    if level and not sense.table:
        flow = Flow.BODY if sense.kind is BlockKind.NOTE and sense.flow is Flow.AUXILIARY else sense.flow
        return replace(sense, kind=BlockKind.HEADING, level=level, flow=flow)
    if name == "table" and not sense.table:
        data = is_data_table(element)
        return replace(sense, kind=BlockKind.TABLE, table=True) if data else sense
    if name in ("figcaption", "caption"):
        return replace(sense, kind=BlockKind.CAPTION, flow=_aside(sense.flow), table=False)
    if name == "aside":
        return replace(sense, flow=_aside(sense.flow))
    if sense.kind in (BlockKind.NOTE, BlockKind.TABLE, BlockKind.CAPTION):
        return replace(sense, raw=True) if name == "pre" and sense.kind is BlockKind.NOTE else sense
    if name in ("li", "dt", "dd"):
        return replace(sense, kind=BlockKind.LIST)
    if name == "blockquote":
        return replace(sense, kind=BlockKind.BLOCKQUOTE)
    if name == "pre":
        return replace(sense, kind=BlockKind.PREFORMATTED, raw=True)
    return sense


def _aside(flow: Flow) -> Flow:
    """Apart from the text, unless it is no part of the work at all."""
    return Flow.EXCLUDED if flow is Flow.EXCLUDED else Flow.AUXILIARY


def _level_of(name: str, element: Element) -> int:
    if len(name) == 2 and name[0] == "h" and name[1] in "123456":
        return int(name[1])
    if element.get("role") == "heading":
        level = element.get("aria-level") or "2"
        return int(level) if level.isdecimal() and 0 < int(level) < 10 else 2
    return 0


def has_tex(element: Element) -> bool:
    """Whether a formula holds its own source in TeX."""
    sources = (child for child in element.iter() if local_name(child) == "annotation")
    return any("tex" in (source.get("encoding") or "").lower() and (source.text or "").strip() for source in sources)


def holds_math(element: Element) -> bool:
    """Whether there is a formula in an element."""
    return any(local_name(child) == "math" for child in element.iter())
