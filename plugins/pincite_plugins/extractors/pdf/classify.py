"""What each paragraph is: heading, caption, footnote, list, table, code, formula, margin note."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from pincite.packs.landmarks import heading_role, numbering, opening_role
from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.pdf.columns import Column
from pincite_plugins.extractors.pdf.model import Box, Para

CAPTION = re.compile(
    r"^\s*[\[【〔<(]?\s*(?:(?:supplementary|supplemental|extended\s+data|appendix|online)\s+)?"
    r"(?:f\s?i\s?g\s?u\s?r\s?e|t\s?a\s?b\s?l\s?e|fig(?:ure|\.)?s?|table(?:au)?|tab\.|abb(?:ildung|\.)?|tabelle|figura|fig\.|tabla|tabela|cuadro|gráfico|scheme|chart"
    r"|plate|listing|algorithm|exhibit|map|photo|рис(?:унок|\.)?|таблица|табл\.|图表?|圖|表|図|그림|표)"
    r"\s*(?:[A-Z]{1,2}[.-]?)?(?:\d{1,3}(?:[.-]\d{1,3}){0,2}|[IVX]{1,5})[a-z]?(?![\w])\s*[\]】〕>)]?",
    re.IGNORECASE,
)
_AFTER_NUMBER = re.compile(r"^\s*(?:[.:|：．—–]|-\s|\(|$|\n|\s{2,}|　)")
_SPREAD = re.compile(r"^\W*(?:F\s?I\s?G\s?U\s?R\s?E|T\s?A\s?B\s?L\s?E)\s")
_TABLE_WORD = re.compile(r"^\W*(?:supplementary\s+)?(?:t\s?a\s?b|cuadro|табл|表|표)", re.I)
_BULLET = re.compile(r"^\s*(?:[•‣◦▪■●○∙·*–—]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S", re.I)
_NOTE_MARK = re.compile(r"^\s*(?:\d{1,3}|[*†‡§¶∗⋆]{1,3}|\([a-z]\)|[a-e])\s*\S")
_TABLE_NOTE = re.compile(r"^\s*(?:[a-z*†‡§¶∗⋆](?=\s+[^\W\d_a-z])|[Nn]otes?\b|[Ss]ources?\b)")
_STOP = re.compile(r"[.!?。！？][\"'”’)\]]*\s*$")
_SENTENCE = re.compile(r"[a-zß-öø-ÿа-я]{2,}[.!?;]\s+\S")


_ADDRESS = re.compile(r"https?:|\bwww\.")
"""A web address: set like code, in a footnote it is none."""

_SMALL = 0.93
"""Print below this share of the body's size is small print."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The document's own measures: size of its body text, and whether it has one at all."""

    size: float
    pages: int


def classify(paras: list[Para], column: Column, measure: Measure, turned: bool = False) -> list[Para]:
    """Sets kind and flow of the paragraphs of one column, and joins what is one formula."""
    for para in paras:
        _one(para, measure)
        if column.margin and para.kind is BlockKind.HEADING and numbering(para.text):
            continue
        if turned or (column.margin and para.flow is Flow.BODY):
            para.flow = Flow.AUXILIARY
            para.kind = BlockKind.NOTE if para.kind is BlockKind.HEADING else para.kind
    _notes_below(paras, measure)
    return merge_formulas(figures_and_tables(paras, column, measure))


def _one(para: Para, measure: Measure) -> None:
    text = para.text
    style = para.style
    if _caption(text, para, measure):
        para.kind, para.flow = BlockKind.CAPTION, Flow.AUXILIARY
    elif _table(para):
        para.kind = BlockKind.TABLE
    elif style.mostly(style.mono, 0.8) and style.characters > 12:
        para.kind = BlockKind.PREFORMATTED
    elif heading(para, measure):
        para.kind = BlockKind.HEADING
    elif style.mostly(style.math, 0.35) and len(para.rows) <= 6 and not _SENTENCE.search(text):
        para.kind = BlockKind.MATH
    elif _BULLET.match(text):
        para.kind = BlockKind.LIST


def _caption(text: str, para: Para, measure: Measure) -> bool:
    found = CAPTION.match(text)
    if not found:
        return False
    rest = text[found.end() :]
    if _AFTER_NUMBER.match(rest) or _SPREAD.match(text):
        return True
    first = para.rows[0]
    return first.size < 0.95 * measure.size and len(rest) < 600


def _table(para: Para) -> bool:
    rows = para.rows
    if len(rows) < 2:
        return rows[0].gaps >= 2 and not _SENTENCE.search(rows[0].text)
    wide = sum(1 for row in rows if row.gaps >= 1)
    cells = sum(row.gaps for row in rows)
    return wide >= 0.6 * len(rows) and cells >= 1.5 * len(rows) * 0.6


def heading(para: Para, measure: Measure) -> bool:
    """Whether a paragraph is set as a heading."""
    rows = para.rows
    text = " ".join(para.text.split())
    letters = sum(map(str.isalpha, text))
    if len(rows) > 4 or len(text) > 180 or letters < 2 or letters < 0.4 * len(text.replace(" ", "")):
        return False
    style = para.style
    if any(row.gaps for row in rows) and not numbering(text):
        return False
    role = heading_role(text)
    first = next((char for char in text if char.isalpha()), "")
    if role and len(rows) == 1 and not first.islower():
        return True
    if _STOP.search(text) and not re.search(r"^\S+\s+\S+[?!.]$|\?$", text):
        return False
    if _SENTENCE.search(text) or (text.endswith((",", ";", ":", "-")) and not role):
        return False
    if text[0].islower() or _leader(text):
        return False
    numbered = bool(numbering(text)) and bool(re.search(r"\s[^\W\d_]", text))
    bold = style.mostly(style.bold, 0.8)
    large = style.size > 1.12 * measure.size
    upper = letters >= 4 and text.upper() == text and any(unicodedata.category(c) == "Lu" for c in text)
    if large and (bold or style.size > 1.15 * measure.size):
        return len(text) <= 160
    if bold and style.size >= 0.95 * measure.size:
        return len(text) <= 140
    if numbered and (upper or style.mostly(style.italic, 0.8) or large) and style.size >= 0.95 * measure.size:
        return len(text) <= 120
    return upper and numbered and len(rows) <= 2 and style.size >= 0.95 * measure.size


def _leader(text: str) -> bool:
    return bool(re.search(r"(?:\.\s?){4,}|…{2,}", text))


def _notes_below(paras: list[Para], measure: Measure) -> None:
    """Small print at the foot of a column: from the bottom up, as long as it is smaller than the body. It stands in the
    lower half, and nothing in it is named as a part of the text (an abstract is often in small print)."""
    if not paras or all(para.style.size < _SMALL * measure.size for para in paras):
        return
    if any(heading_role(para.text) == "references" for para in paras if len(para.rows) == 1):
        return
    top, bottom = paras[0].box[1], paras[-1].box[3]
    for para in reversed(paras):
        text = para.text
        if para.style.size >= _SMALL * measure.size or para.kind in (BlockKind.CAPTION, BlockKind.TABLE):
            break
        if heading_role(text) or opening_role(text)[0] or para.box[1] < (top + bottom) / 2:
            break
        if len(text) > 700 and not _NOTE_MARK.match(text):
            break
        _note(para)


def foot_of_page(columns: list[list[Para]], measure: Measure, frame: Box) -> None:
    """Small print that stands below everything else of a page, across its columns (what a publisher adds)."""
    paras = [para for column in columns for para in column]
    body = [para for para in paras if para.style.size >= _SMALL * measure.size and para.flow is Flow.BODY]
    if not body or any(heading_role(para.text) for para in paras if para.style.size < _SMALL * measure.size):
        return
    lowest = max(row.box[3] for para in body for row in para.rows)
    limit = max(lowest - 1, frame[1] + 0.7 * (frame[3] - frame[1]))
    for para in paras:
        if para.style.size < _SMALL * measure.size and para.box[1] >= limit and not CAPTION.match(para.text):
            _note(para)


def _note(para: Para) -> None:
    code = para.kind is BlockKind.PREFORMATTED and not (len(para.rows) <= 3 and _ADDRESS.search(para.text))
    if para.flow is Flow.BODY and not code:
        para.kind, para.flow = BlockKind.NOTE, Flow.AUXILIARY


def figures_and_tables(paras: list[Para], column: Column, measure: Measure) -> list[Para]:
    """What stands between a caption and the running text, and is none itself, is one block of the figure or table:
    labels of a drawing, cells. Above the caption, or for a table also below it."""
    width = column.box[2] - column.box[0]
    out = list(paras)
    for caption in [para for para in paras if para.kind is BlockKind.CAPTION]:
        table = _TABLE_WORD.match(caption.text) is not None
        kind = BlockKind.TABLE if table else BlockKind.IMAGE
        if table:
            _title_below(out, out.index(caption), measure)
        at = out.index(caption)
        first = at
        while first and _inside(out[first - 1], width, measure):
            first -= 1
        if first < at:
            out[first:at] = [_one_block(out[first:at], kind)]
        if first == at or table:
            at = out.index(caption) + 1
            while at < len(out) and out[at].kind is BlockKind.CAPTION and not CAPTION.match(out[at].text):
                at += 1
            last = at
            while last < len(out) and _inside(out[last], width, measure):
                last += 1
            if last > at:
                out[at:last] = [_one_block(out[at:last], kind)]
                _notes_of_table(out, at + 1, measure)
    return out


def _title_below(paras: list[Para], at: int, measure: Measure) -> None:
    """The title of a table in small print under a line that says "Table 5" alone belongs to its caption."""
    found = CAPTION.match(paras[at].text)
    if found is None or paras[at].text[found.end() :].strip(" .:") or at + 1 == len(paras):
        return
    title = paras[at + 1]
    if title.flow is Flow.BODY and title.kind is BlockKind.PARAGRAPH and title.style.size < _SMALL * measure.size:
        title.kind, title.flow = BlockKind.CAPTION, Flow.AUXILIARY


def _notes_of_table(paras: list[Para], at: int, measure: Measure) -> None:
    """Small print straight below a table, where any of it has the mark of a note."""
    end = at
    while end < len(paras) and _small_below(paras[end - 1], paras[end], measure):
        end += 1
    if any(_TABLE_NOTE.match(para.text) for para in paras[at:end]):
        for para in paras[at:end]:
            _note(para)


def _small_below(above: Para, para: Para, measure: Measure) -> bool:
    small = para.kind is BlockKind.PARAGRAPH and para.style.size < _SMALL * measure.size
    return small and para.rows[0].box[1] - above.rows[-1].box[3] < 1.5 * para.style.size


def _inside(para: Para, width: float, measure: Measure) -> bool:
    return para.flow is Flow.BODY and not _prose(para, width, measure)


def _one_block(paras: list[Para], kind: BlockKind) -> Para:
    return Para([row for para in paras for row in para.rows], kind, Flow.AUXILIARY)


def _prose(para: Para, width: float, measure: Measure) -> bool:
    """Whether a paragraph is running text or a heading, and not what stands in a figure or table."""
    if para.kind is BlockKind.TABLE:
        return False
    if para.kind in (BlockKind.HEADING, BlockKind.LIST, BlockKind.PREFORMATTED):
        return para.style.size >= _SMALL * measure.size
    text = para.text
    letters = sum(map(str.isalpha, text))
    if letters < 0.55 * max(1, len(text) - text.count(" ") - text.count("\n")):
        return False
    long = sum(row.width > 0.75 * width and row.gaps == 0 for row in para.rows)
    if long >= 2 or (long and len(para.rows) <= 2 and para.style.size >= _SMALL * measure.size):
        return True
    return bool(_STOP.search(text)) and letters > 40 and para.style.size >= _SMALL * measure.size


def merge_formulas(paras: list[Para]) -> list[Para]:
    """A formula comes as several stretches (limits of a sum, halves of a fraction): those that touch become one."""
    out: list[Para] = []
    for para in paras:
        before = out[-1] if out else None
        if before is not None and _formula(before) and _formula(para) and BlockKind.MATH in (before.kind, para.kind):
            size = max(before.rows[-1].size, para.rows[0].size)
            if para.rows[0].box[1] - before.rows[-1].box[3] < 0.9 * size and len(before.rows) < 12:
                before.rows += para.rows
                before.kind = BlockKind.MATH
                continue
        out.append(para)
    return out


def _formula(para: Para) -> bool:
    if para.flow is not Flow.BODY:
        return False
    return para.kind is BlockKind.MATH or (para.kind is BlockKind.PARAGRAPH and para.style.characters <= 8)
