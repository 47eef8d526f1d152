"""A plain text file → a pack. The pack's text is the decoded file itself, so that every offset is the file's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pincite.markup.encoding import decode
from pincite.markup.files import read_bytes, refuse_binary, refuse_no_text, refuse_noise
from pincite.markup.meta import tidied
from pincite.markup.outline import Outline
from pincite.markup.roles import with_roles
from pincite.values.pack import Block, BlockKind, Flow, Pack, Page, Run
from pincite_plugins.extractors.text import VERSION
from pincite_plugins.extractors.text.headings import headings
from pincite_plugins.extractors.text.lines import Line, page_furniture, split_lines
from pincite_plugins.extractors.text.paragraphs import Stretch, stretches


@dataclass(frozen=True, slots=True)
class TextExtractor:
    """Reads plain text. `max_bytes` is the largest file that is read."""

    max_bytes: int = 64 << 20
    name: str = "text"
    version: int = VERSION

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The file's text with paragraphs, lists, tables and headings as far as plain text shows them."""
        data = read_bytes(path, self.max_bytes)
        refuse_binary(data, path.name)
        text, encoding = decode(data)
        refuse_noise(text, path.name)
        refuse_no_text(text, path.name)
        pack = pack_of(text)
        pack.metadata["encoding"] = encoding
        return pack


def pack_of(text: str) -> Pack:
    """The pack of a decoded text."""
    lines = split_lines(text)
    furniture = page_furniture(text, lines)
    found = stretches(text, lines, furniture)
    titles = headings(text, found)
    outline = Outline()
    blocks: list[Block] = [_furniture_block(lines[at]) for at in furniture]
    for at, stretch in enumerate(found):
        heading = titles.get(at)
        if heading is None:
            blocks.append(_block(stretch, outline.current))
            continue
        start, end, level = heading
        section = outline.open(text[start:end], level)
        blocks.append(Block(start, end, BlockKind.HEADING, section=section, page=stretch.page))
    blocks.sort(key=lambda block: (block.start, block.end))
    pages = max((line.page or 0 for line in lines), default=0)
    return Pack(
        format="text",
        text=text,
        blocks=tuple(with_roles(text, blocks, outline.sections)),
        sections=tuple(outline.sections),
        pages=tuple(Page(number) for number in range(1, pages + 1)),
        runs=(Run(0, len(text)),),
        metadata=_metadata(text, found, titles),
        extractor="text",
        extractor_version=VERSION,
    )


def _block(stretch: Stretch, section: int) -> Block:
    return Block(stretch.start, stretch.end, stretch.kind, section=section, page=stretch.page)


def _furniture_block(line: Line) -> Block:
    return Block(line.start, line.end, flow=Flow.EXCLUDED, page=line.page)


_FIELD = re.compile(
    r"^[ \t]*(title|authors?|by|date|release date|language|doi)[ \t]*:[ \t]*(\S.{0,200}?)[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)
_NAMES = {"authors": "author", "by": "author", "release date": "date"}


def _metadata(text: str, found: list[Stretch], titles: dict[int, tuple[int, int, int]]) -> dict[str, str]:
    """What the head of the file says of itself: "Title: …" lines, or a short first line set apart."""
    out: dict[str, str] = {}
    for name, value in _FIELD.findall(text[:3000]):
        key = name.lower()
        out.setdefault(_NAMES.get(key, key), value)
    if "title" not in out and found:
        first = found[0]
        start, end, _ = titles.get(0, (first.start, first.end, 0))
        line = " ".join(text[start:end].split())
        short = 3 <= len(line) <= 150 and first.lines <= 2 and len(found) > 1
        if short and not line.endswith((".", ":", ";", ",", "。")):
            out["title"] = line
    return tidied(out)
