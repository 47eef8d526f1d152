"""Finds the blocks that are special to a document: its title, abstract, keywords and bibliography."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.markup.headings import folded
from pincite.markup.references import is_bibliography, looks_like_entry
from pincite.packs.landmarks import heading_role, opening_role
from pincite.values.pack import Block, BlockKind, Flow, Section

EARLY = 0.3
"""An abstract stands in this first share of a text; a section called "Summary" near the end is a conclusion."""

PROSE = 700
"""Characters; a paragraph this long below "References" that does not read like an entry is text, and so is what
follows it."""

_ENTRY_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.NOTE, BlockKind.BLOCKQUOTE})


def with_roles(text: str, blocks: Sequence[Block], sections: Sequence[Section], title: str = "") -> list[Block]:
    """The same blocks with `role` and `reference` set where they were not. `title` is the document's, if known."""
    out = list(blocks)
    _mark_title(text, out, title)
    _mark_parts(text, out, sections)
    _mark_bibliographies(text, out, sections)
    return out


def _mark_title(text: str, blocks: list[Block], title: str) -> None:
    wanted = folded(title)
    for at, block in enumerate(blocks):
        if block.role == "title":
            return
        if block.kind is BlockKind.HEADING and block.flow is not Flow.EXCLUDED:
            name = folded(text[block.start : block.end])
            if not wanted or name == wanted or (len(name) > 8 and (name in wanted or wanted in name)):
                if wanted or heading_role(text[block.start : block.end]) == "":
                    blocks[at] = replace(block, role="title")
                return
            if block.section > 2:
                return


def _mark_parts(text: str, blocks: list[Block], sections: Sequence[Section]) -> None:
    """Abstract and keywords: by their heading, or by the word that begins the paragraph."""
    roles = [heading_role(section.title) for section in sections]
    for at, section in enumerate(sections):
        if not roles[at] and section.parent >= 0 and roles[section.parent] == "abstract":
            roles[at] = "abstract"  # a structured abstract: Background, Methods, Results
    early = len(text) * EARLY if len(text) > 4000 else len(text)
    seen_abstract = any(block.role == "abstract" for block in blocks)
    for at, block in enumerate(blocks):
        if block.start > early or (roles[block.section : block.section + 1] == ["introduction"] and block.section >= 0):
            return
        if block.role or block.reference or block.flow is not Flow.BODY or block.kind not in _ENTRY_KINDS:
            continue
        part = roles[block.section] if 0 <= block.section < len(roles) else ""
        lead, _ = opening_role(text[block.start : min(block.end, block.start + 48)])
        role = lead if lead in ("abstract", "keywords") else part
        if role == "keywords" or (role == "abstract" and (part == "abstract" or not seen_abstract)):
            blocks[at] = replace(block, role=role)
            seen_abstract = seen_abstract or (role == "abstract" and part != "abstract")


def _mark_bibliographies(text: str, blocks: list[Block], sections: Sequence[Section]) -> None:
    titled = [False] * len(sections)
    for at, section in enumerate(sections):
        role = heading_role(section.title)
        below = 0 <= section.parent < at and titled[section.parent] and role != "appendix"
        titled[at] = role == "references" or below
    for indexes in _stretches(blocks, titled):
        under_title = titled[blocks[indexes[0]].section] if blocks[indexes[0]].section >= 0 else False
        for run in [_until_prose(text, blocks, indexes)] if under_title else _lists(blocks, indexes):
            if run and is_bibliography([text[blocks[at].start : blocks[at].end] for at in run], under_title):
                for at in run:
                    blocks[at] = replace(blocks[at], reference=True)


def _stretches(blocks: Sequence[Block], titled: Sequence[bool]) -> Iterator[list[int]]:
    """Indexes of the blocks that could be entries, section by section; a bibliography's subsections are one with it."""
    current: list[int] = []
    last: tuple[int, bool] | None = None
    for at, block in enumerate(blocks):
        if block.flow is Flow.EXCLUDED or block.kind not in _ENTRY_KINDS or block.role or block.reference:
            continue
        below = titled[block.section] if 0 <= block.section < len(titled) else False
        key = (-2 if below else block.section, below)
        if last is not None and key != last and current:
            yield current
            current = []
        last = key
        current.append(at)
    if current:
        yield current


def _until_prose(text: str, blocks: Sequence[Block], indexes: Sequence[int]) -> list[int]:
    """The entries up to the first long paragraph that is none: what follows a bibliography without a heading of its own
    is not part of it."""
    run: list[int] = []
    for at in indexes:
        piece = text[blocks[at].start : blocks[at].end]
        if len(piece) > PROSE and blocks[at].kind is BlockKind.PARAGRAPH and not looks_like_entry(piece):
            break
        run.append(at)
    return run


def _lists(blocks: Sequence[Block], indexes: Sequence[int]) -> Iterator[list[int]]:
    """Runs of list items that stand side by side."""
    run: list[int] = []
    for at in indexes:
        if blocks[at].kind is BlockKind.LIST and (not run or at == run[-1] + 1):
            run.append(at)
            continue
        if run:
            yield run
        run = [at] if blocks[at].kind is BlockKind.LIST else []
    if run:
        yield run
