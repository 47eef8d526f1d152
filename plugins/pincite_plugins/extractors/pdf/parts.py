"""The parts of a scholarly text: title, authors, abstract, keywords, bibliography."""

from __future__ import annotations

import re

from pincite.packs.landmarks import heading_role, opening_role
from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.pdf.model import Para

_SENTENCE = re.compile(r"(?:[^\W\d_]{2}|[^\W\d_\x00-\x7f])[.!?؟۔。][\"'”’)]?(?:\s|$)")
_SENTENCE_END = re.compile(r"[.!?;:,]\s*$")


def mark_parts(paras: list[Para]) -> None:
    """Sets role and reference. Paragraphs come in the order of the text."""
    _title(paras)
    _openings(paras)
    _bibliography(paras)


def _title(paras: list[Para]) -> None:
    """The title is what the first page prints largest above its text; a name or an address under it is "authors"."""
    first = [p for p in paras if p.page == paras[0].page and p.flow is Flow.BODY] if paras else []
    stop = next((at for at, p in enumerate(first) if _ends_front(p)), len(first))
    front = [p for p in first[:stop] if sum(map(str.isalpha, p.text)) >= 4]
    if not front:
        return
    largest = max(p.style.size for p in front)
    at = next(at for at, p in enumerate(front) if p.style.size >= largest - 0.3)
    front = [p for n, p in enumerate(front) if n <= at or not any(q.level for q in front[at + 1 : n + 1])]
    titles = [front[at]]
    others = [p for p in first if p is not front[at]]
    long = [p.style.size for p in others if p.kind is BlockKind.PARAGRAPH and len(p.text) > 80]
    rest = max(long or [p.style.size for p in others], default=0.0)
    if largest > rest + 0.3 and others:
        for para in front[at + 1 :]:
            if para.style.size < largest - 0.3 or len(titles) >= 4:
                break
            titles.append(para)
    elif not titles[0].style.mostly(titles[0].style.bold) and (
        len(titles[0].text) > 150 or _SENTENCE_END.search(titles[0].text) or largest < rest - 0.3
    ):
        return
    if sum(len(p.text) for p in titles) > 400:
        return
    for para in titles:
        para.role, para.kind = "title", BlockKind.HEADING
    for para in front[front.index(titles[-1]) + 1 :]:
        if not _names(para):
            break
        para.role, para.kind = "authors", BlockKind.PARAGRAPH


def _names(para: Para) -> bool:
    """Whether a paragraph between title and text holds names and addresses: no sentence."""
    text = para.text
    if para.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.PREFORMATTED) or len(text) > 600:
        return False
    return len(_SENTENCE.findall(text)) < 2 and not (len(text) >= 50 and _SENTENCE.search(text[-4:]))


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
    """Marks the entries from a heading of that name to the next heading, and no further: an appendix is text again."""
    inside = False
    for para in paras:
        if para.kind is BlockKind.HEADING and para.flow is Flow.BODY:
            inside = heading_role(para.text) == "references"
        elif inside and _entry(para):
            para.reference, para.flow, para.kind = True, Flow.BODY, BlockKind.LIST


def _entry(para: Para) -> bool:
    """Whether a block after the heading is of the list. Entries in small print at the foot of a column were taken for
    footnotes."""
    if para.kind in (BlockKind.TABLE, BlockKind.CAPTION, BlockKind.IMAGE):
        return False
    return para.flow is Flow.BODY or (para.flow is Flow.AUXILIARY and para.kind is BlockKind.NOTE)
