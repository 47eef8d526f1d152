"""The words of items, notes and annotations, and the chunks that they make."""

from __future__ import annotations

from typing import Any

from pincite.values.ledger import NewChunk
from pincite.values.library import Annotation, Item
from pincite.values.search import ChunkKind, Draft

BREAK = "\n\n"


def item_text(item: Item) -> str:
    """Title, empty line, abstract: what is shown and embedded of an item itself."""
    return BREAK.join(part for part in (item.title, item.abstract) if part)


def titles_text(item: Item) -> str:
    """All titles, a line each."""
    return "\n".join(dict.fromkeys(part for part in (item.title, *item.alternative_titles) if part))


def metadata_text(item: Item) -> str:
    """Creators, year, venue, tags and identifiers, a line each."""
    lines = [creator.name for creator in item.creators]
    lines.append(str(item.year) if item.year is not None else item.date)
    lines += [
        item.venue,
        item.publisher,
        *item.tags,
        *item.collections,
        item.doi,
        item.isbn,
        item.key,
        *item.identifiers,
    ]
    return "\n".join(line for line in lines if line)


def annotation_text(annotation: Annotation) -> str:
    """The marked passage, an empty line, the comment."""
    return BREAK.join(part for part in (annotation.text, annotation.comment) if part)


def has_words(text: str, least: int) -> bool:
    """Whether at least `least` words hold a letter; each Han, kana or other unspaced letter run counts by its pairs of letters."""
    count = 0
    for word in text.split():
        if any(map(str.isalpha, word)):
            count += 1 if word.isascii() else max(1, sum(map(_unspaced, word)) // 2)
            if count >= least:
                return True
    return count >= least


def _unspaced(char: str) -> bool:
    return "\u0e00" <= char <= "\u0eff" or "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff"


def worth_embedding(*parts: str, least: int = 3) -> bool:
    """Whether any of the parts, each judged alone, has enough words for a vector to mean something."""
    return any(has_words(part, least) for part in parts)


def item_chunk(item: Item, language: str = "") -> NewChunk:
    """The chunk of an item's own text; it gets a vector where title or abstract has at least two words."""
    text = item_text(item)
    draft = Draft(((0, len(text)),), ChunkKind.ITEM)
    embed = text if worth_embedding(item.title, item.abstract, least=2) else None
    return NewChunk(draft, text, embed, anchor={"kind": "item"}, language=language)


def own_chunk(item: Item) -> NewChunk:
    """The same, in the language that its abstract is in. A title alone is too short to go against what the item declares, or what its
    file is written in."""
    from pincite.text.language import language

    declared = item.language[:2].lower()
    if item.abstract or not declared:
        return item_chunk(item, language(item.abstract or item.title) or declared)
    return item_chunk(item, declared)


def annotation_chunk(annotation: Annotation, language: str = "") -> NewChunk | None:
    """The chunk of an annotation, or None where it has no text at all (ink, image)."""
    text = annotation_text(annotation)
    if not any(map(str.isalnum, text)):
        return None
    draft = Draft(((0, len(text)),), ChunkKind.ANNOTATION, page=annotation.page)
    anchor: dict[str, Any] = {}
    if annotation.anchor:
        import json

        anchor = json.loads(annotation.anchor)
    embed = text if worth_embedding(annotation.text, annotation.comment) else None
    return NewChunk(draft, text, embed, page_label=annotation.page_label, anchor=anchor, language=language)
