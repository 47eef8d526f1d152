"""Sections: from the outline where the file has one, else from the headings' numbers and typography."""

from __future__ import annotations

from collections import Counter

from pincite.packs.landmarks import heading_role, numbering
from pincite.values.pack import BlockKind, Flow, Section
from pincite_plugins.extractors.pdf.model import Para


def make_sections(paras: list[Para]) -> list[Section]:
    """Sets `section` of every paragraph and gives the sections."""
    levels = _levels([para for para in paras if para.kind is BlockKind.HEADING and para.flow is Flow.BODY])
    sections: list[Section] = []
    stack: list[tuple[int, int]] = []
    here = -1
    for para in paras:
        opened = (levels[id(para)], " ".join(para.text.split())) if id(para) in levels else para.opens
        if opened is not None:
            level, title = opened
            while stack and stack[-1][0] >= level:
                stack.pop()
            parent = stack[-1][1] if stack else -1
            sections.append(Section(title, level, parent))
            here = len(sections) - 1
            stack.append((level, here))
        para.section = here
    return sections


_Look = tuple[float, bool, bool]
"""Size to half a point, bold, capitals."""


def _levels(headings: list[Para]) -> dict[int, int]:
    """The level of each heading: the outline's, else by its numbers or its name, else that of headings that look alike,
    else one below those that are larger."""
    least = min((heading.level for heading in headings if heading.level and not heading.role), default=1)
    out: dict[int, int] = {}
    looks: dict[_Look, Counter[int]] = {}
    rest: list[Para] = []
    for heading in headings:
        text = " ".join(heading.text.split())
        numbers = numbering(text)
        if heading.role:
            continue
        if heading.level:
            level = heading.level
        elif numbers or heading_role(text):
            level = max(len(numbers), 1) + least - 1
        else:
            rest.append(heading)
            continue
        out[id(heading)] = level
        looks.setdefault(_look(heading), Counter())[level] += 1
    known = {look: counts.most_common(1)[0][0] for look, counts in looks.items()}
    for heading in sorted(rest, key=lambda h: -h.style.size):
        look = _look(heading)
        if look not in known:
            larger = [level for (size, _, _), level in known.items() if size >= look[0]]
            known[look] = min(max(larger) + 1, least + 3) if larger else least
        out[id(heading)] = known[look]
    return out


def _look(heading: Para) -> _Look:
    style = heading.style
    return (round(style.size * 2) / 2, style.mostly(style.bold), _upper(heading))


def _upper(para: Para) -> bool:
    text = para.text
    return text.upper() == text
