"""The parts of a scholarly text: title, authors, abstract, keywords, bibliography."""

from __future__ import annotations

import re

from pincite.packs.landmarks import heading_role, opening_role
from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.pdf.model import Para

_ENTRY = re.compile(r"^\s*(?:\[\w|\d{1,3}\.\s|[^\W\d_])")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def mark_parts(paras: list[Para]) -> None:
    """Sets role and reference. Paragraphs come in the order of the text."""
    _title(paras)
    _openings(paras)
    _bibliography(paras)


def _title(paras: list[Para]) -> None:
    first = [p for p in paras if p.page == paras[0].page and p.flow is Flow.BODY] if paras else []
    stop = next((at for at, p in enumerate(first) if _ends_front(p)), len(first))
    front = [p for p in first[:stop] if sum(map(str.isalpha, p.text)) >= 4]
    if not front:
        return
    largest = max(p.style.size for p in front)
    titles = [p for p in front if p.style.size >= largest - 0.3]
    body = [p for p in first if p.kind is BlockKind.PARAGRAPH]
    rest = max((p.style.size for p in body if p not in titles), default=0.0)
    if largest < rest or len(titles[0].text) > 400:
        return
    at = front.index(titles[0])
    for para in front[at:]:
        if para in titles and len(para.text) < 400:
            para.role, para.kind = "title", BlockKind.HEADING
        else:
            break
    for para in front[at + 1 :]:
        if not para.role and para.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING) and len(para.text) < 600:
            para.role, para.kind = "authors", BlockKind.PARAGRAPH


def _ends_front(para: Para) -> bool:
    text = " ".join(para.text.split())
    return bool(heading_role(text)) or bool(opening_role(para.text)[0]) or len(text) > 700


def _openings(paras: list[Para]) -> None:
    role = ""
    for para in paras:
        if para.flow is not Flow.BODY:
            continue
        if para.kind is BlockKind.HEADING and para.role != "title":
            named = heading_role(para.text)
            role = named if named in ("abstract", "keywords") else ""
            continue
        opened, _ = opening_role(para.text)
        if opened and not para.role:
            role = ""
            para.role = opened
        elif role and not para.role:
            para.role = role
        if para.page > 4:
            role = ""


def _bibliography(paras: list[Para]) -> None:
    inside = False
    for para in paras:
        if para.kind is BlockKind.HEADING and para.flow is Flow.BODY:
            inside = heading_role(para.text) == "references"
            continue
        if inside and para.flow is Flow.BODY and para.kind is not BlockKind.TABLE:
            para.reference = True
            if para.kind is not BlockKind.LIST:
                para.kind = BlockKind.LIST
