"""A Markdown file → a pack. Runs lead from the words that are read to their places in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite.markup.builder import MADE, PackBuilder, Segment
from pincite.markup.encoding import decode
from pincite.markup.files import read_bytes, refuse_binary, refuse_no_text, refuse_noise
from pincite.markup.meta import tidied
from pincite.markup.outline import Outline
from pincite.markup.roles import with_roles
from pincite.values.pack import BlockKind, Flow, Pack
from pincite_plugins.extractors.markdown import VERSION
from pincite_plugins.extractors.markdown.blocks import Found, Parser, lines_of
from pincite_plugins.extractors.markdown.frontmatter import front_matter
from pincite_plugins.extractors.markdown.inline import Joined, inline

_AUXILIARY = frozenset({BlockKind.CAPTION, BlockKind.NOTE})


@dataclass(frozen=True, slots=True)
class MarkdownExtractor:
    """Reads Markdown. `max_bytes` is the largest file that is read."""

    max_bytes: int = 64 << 20
    name: str = "markdown"
    version: int = VERSION

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The file's words, without marks, with the structure that the marks gave."""
        data = read_bytes(path, self.max_bytes)
        refuse_binary(data, path.name)
        source, encoding = decode(data)
        refuse_noise(source, path.name)
        pack = pack_of(source)
        refuse_no_text(pack.text, path.name)
        pack.metadata["encoding"] = encoding
        return pack


def pack_of(source: str) -> Pack:
    """The pack of a decoded source."""
    head = front_matter(source)
    builder = PackBuilder()
    outline = Outline()
    if head.abstract is not None:
        builder.add(inline(source, lines_of(source, *head.abstract)), role="abstract")
    parser = Parser(source)
    parser.parse(lines_of(source, head.end))
    for found in parser.found:
        _add(source, builder, outline, found)
    text = builder.text
    metadata = tidied(head.metadata)
    if "title" not in metadata:
        first = next((block for block in builder.blocks if block.kind is not BlockKind.CAPTION), None)
        if first is not None and first.kind is BlockKind.HEADING:
            metadata["title"] = outline.sections[first.section].title
    return Pack(
        format="markdown",
        text=text,
        blocks=tuple(with_roles(text, builder.blocks, outline.sections, metadata.get("title", ""))),
        sections=tuple(outline.sections),
        runs=tuple(builder.runs),
        metadata=metadata,
        extractor="markdown",
        extractor_version=VERSION,
    )


def _add(source: str, builder: PackBuilder, outline: Outline, found: Found) -> None:
    if found.kind is BlockKind.HEADING:
        segments = inline(source, found.lines)
        title = " ".join("".join(segment.text for segment in segments).split())
        if title:
            builder.add(segments, BlockKind.HEADING, section=outline.open(title, found.level))
        return
    flow = Flow.AUXILIARY if found.kind in _AUXILIARY else Flow.BODY
    raw = found.kind in (BlockKind.PREFORMATTED, BlockKind.MATH)
    if found.rows:
        segments = list(_table(source, found))
    elif raw:
        joined = Joined(source, found.lines)
        segments = list(joined.segments(0, len(joined.text)))
    else:
        segments = inline(source, found.lines)
    after_item = bool(builder.blocks) and builder.blocks[-1].kind is BlockKind.LIST
    separator = "\n" if found.kind is BlockKind.LIST and after_item else "\n\n"
    builder.add(segments, found.kind, flow=flow, section=outline.current, keep_space=raw, separator=separator)


def _table(source: str, found: Found) -> Iterator[Segment]:
    """Cells apart by tabs, rows by line breaks."""
    for row, cells in enumerate(found.rows):
        if row:
            yield Segment("\n", "", MADE)
        for at, cell in enumerate(cells):
            if at:
                yield Segment("\t", "", MADE)
            yield from inline(source, [_inner(source, cell)])


def _inner(source: str, cell: tuple[int, int]) -> tuple[int, int]:
    text = source[cell[0] : cell[1]]
    return cell[0] + len(text) - len(text.lstrip()), cell[1] - len(text) + len(text.rstrip())
