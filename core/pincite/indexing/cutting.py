"""From a pack to chunks on their way into the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pincite.anchors import anchor_of
from pincite.chunks import PATH_BREAK, SEAM, chunk_text, embedded_text, short_title
from pincite.indexing.plain import plain_pack
from pincite.item_text import annotation_chunk, own_chunk, worth_embedding
from pincite.spec import Chunker, CountTokens
from pincite.values.ledger import NewChunk
from pincite.values.library import Record
from pincite.values.pack import Pack
from pincite.values.search import ChunkKind

CUT = 2
"""Rises whenever the same drafts make other chunks, or the chunker is given another budget for the same text."""

APPROXIMATE = "approximate"
"""The tokenizer's name where no embedder is at hand."""


def count_roughly(texts: Sequence[str]) -> list[int]:
    """Tokens by length, on the safe side, where no tokenizer is at hand: a token is three characters of UTF-8 at least."""
    return [len(text.encode("utf-8", "surrogatepass")) // 3 + 1 for text in texts]


def untold(text: str) -> str:
    """The language of a text where it is told later."""
    return ""


@dataclass(frozen=True)
class Cutter:
    """A chunker with the tokenizer that it counts by. `language` finds the language of a text, of none in a worker, which would have to
    load the model for it; `settings` marks the chunker's own."""

    chunker: Chunker
    count: CountTokens
    window: int
    tokenizer: str
    language: Callable[[str], str] = untold
    settings: str = ""

    @property
    def id(self) -> str:
        """Names all that decides where a text is cut: what was cut by another is cut again."""
        mark = f"/{self.settings}" if self.settings else ""
        return f"{self._maker}/{self.window}/{self.tokenizer}{mark}"

    @property
    def _maker(self) -> str:
        return f"{self.chunker.name}/{self.chunker.version}.{CUT}"

    def made(self, id: str) -> bool:
        """Whether what was cut by `id` still holds. A cut with a model's own tokenizer is not given up for an approximate one, which
        only stands in while the model cannot be had."""
        if self.tokenizer == APPROXIMATE:
            return id.startswith(f"{self._maker}/")
        return id == self.id

    def pack(self, pack: Pack) -> list[NewChunk]:
        """The chunks of a pack, without their language."""
        chunks = []
        title = pack.metadata.get("title", "")
        for draft in self.chunker.cut(pack, self.count, self.window - self._room(title)):
            text = chunk_text(pack.text, draft.spans)
            if not any(map(str.isalpha, text)):
                continue
            embed = (
                embedded_text(draft.section, text, draft.path_embedded, title)
                if draft.embed and worth_embedding(text)
                else None
            )
            chunks.append(
                NewChunk(
                    draft,
                    text,
                    embed,
                    page_label=pack.label(draft.page),
                    anchor=anchor_of(pack, draft.spans),
                )
            )
        return chunks

    def told(self, chunks: Sequence[NewChunk], declared: str = "") -> list[NewChunk]:
        """The chunks with their language. `declared` is that of the document where it says so, for texts too short to tell."""
        return [replace(chunk, language=self.language(chunk.text) or declared) for chunk in chunks]

    def _room(self, title: str) -> int:
        """Tokens kept free for the title that stands before every embedded text."""
        short = short_title(title)
        return self.count([short + PATH_BREAK])[0] + SEAM if short else 0

    def record(self, record: Record) -> dict[str, list[NewChunk]]:
        """The chunks of an item's own text (under ""), and of its notes and annotations (under their ids)."""
        chunks = {"": [own_chunk(record.item)]}
        for note in record.notes:
            chunks[note.id] = self.note(note.text)
        for annotation in record.annotations:
            chunk = annotation_chunk(annotation, self.language(annotation.text or annotation.comment))
            chunks[annotation.id] = [chunk] if chunk is not None else []
        return chunks

    def note(self, text: str) -> list[NewChunk]:
        """The chunks of a note."""
        return [
            replace(chunk, draft=replace(chunk.draft, kind=ChunkKind.NOTE), anchor={"kind": "note"})
            for chunk in self.told(self.pack(plain_pack(text)))
        ]


def page_healths(pack: Pack) -> dict[str, int]:
    """How many pages there are of each health."""
    return dict(Counter(str(page.health) for page in pack.pages))
