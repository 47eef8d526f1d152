"""What kits show to plugins: texts in many scripts, records of invented works, a store filled with them, an embedder without a model."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pincite.chunks import chunk_text
from pincite.errors import Cancelled
from pincite.indexing.plain import plain_pack
from pincite.item_text import annotation_chunk, item_chunk
from pincite.plugin.manager import Plugins
from pincite.spec import Cancel, Context, ModelFacts, Store, Vectors
from pincite.values.ledger import FileEntry, FileState, NewChunk
from pincite.values.library import Annotation, Attachment, Creator, Item, Note, Record, fingerprint
from pincite.values.query import Query
from pincite.values.search import ChunkKind, Draft

TEXTS = (
    "The holdfast grips the rock while the blades bend with every swell.",
    "Die Glocke schlägt zur vollen Stunde, und der Wächter zählt mit.",
    "海藻は岩に根を張り、波とともに揺れる。",
    "潮水退去之后，礁石上留下了海带。",
    "สาหร่ายยึดเกาะกับหินใต้ทะเล",
    "समुद्री शैवाल चट्टान को थामे रहता है।",
    "تتمسك الأعشاب البحرية بالصخور.",
    "Морская капуста держится за скалу.",
    "A naïve café-owner’s résumé — with “quotes”, e\u0301 decomposed, and 👩‍🔬🏽 emoji.",
    "x² + y² = r², ∑ᵢ aᵢ ≤ ∫f(t)dt, H₂O at 20 °C",
)
"""Ordinary texts, each of a different script or habit."""

HOSTILE = (
    "",
    " ",
    "\n\t\r\n",
    "\x00",
    "\ud800 half a pair",
    "\ufeff\u200b\u200e\u202e",
    "e" + "\u0301" * 500,
    "a" * 20_000,
    "漢" * 5_000,
    "word " * 5_000,
    '"',
    "'; DROP TABLE chunk; --",
    'NEAR(a b) AND OR NOT ( * ^ : title:"',
    "*" * 50,
    "-",
    "🧑‍🚀" * 200,
)
"""Texts that a plugin must survive: any text is a safe text."""

KELP = Record(
    Item(
        "kelp", "article-journal", "Kelp forests after the storm", creators=(Creator("Okafor", "Ada"),), year=2018,
        abstract="Storms thin the canopy and light reaches the floor.", tags=("ocean",), collections=("Coast/Plants",), language="en",
    ),
    notes=(Note("kelp-n", "Ask Ada about the urchins in the second plot."),),
    annotations=(Annotation("kelp-a", "kelp-f", text="light reaches the floor", comment="compare with plot two",
                            page=3, page_label="iii"),),
    attachments=(Attachment("kelp-f", text="The holdfast grips the rock.\n\nUrchins graze where otters are gone."),),
)  # fmt: skip
BELLS = Record(
    Item("bells", "book", "Glocken und Zeit", creators=(Creator("Brandt", "Uwe"),), year=1999, tags=("Zeit", "Ocean"), group="Guild",
         language="de"),
    attachments=(Attachment("bells-f", text="Die Glocke schlägt zur vollen Stunde."),),
)  # fmt: skip
TIDES = Record(
    Item("tides", "report", "潮汐と海藻", creators=(Creator("渡辺", "春"), Creator("Institute of Tides")), tags=("ocean",), language="ja"),
    notes=(Note("tides-n", "海藻は岩に根を張る。"),),
)  # fmt: skip
RECORDS = (KELP, BELLS, TIDES)


def many(count: int, start: int = 0) -> list[Record]:
    """Records of one item each, all of different words and lengths; their ids sort as they are numbered."""
    words = [
        "amber",
        "basalt",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "gravel",
        "heath",
        "inlet",
        "juniper",
        "karst",
        "lagoon",
    ]
    out = []
    for number in range(start, start + count):
        chosen = [words[(number * step + step) % len(words)] for step in range(1, 3 + number % 7)]
        title = f"{' '.join(chosen).capitalize()} survey {number}"
        measured = f"The {' '.join(chosen)} was measured {number % 5 + 1} times in plot {number}."
        text = f"Plot {number} lies between {chosen[0]} and {chosen[-1]}.\n\n{measured}"
        item = Item(
            f"m{number:05}",
            "article-journal",
            title,
            year=1950 + number % 70,
            tags=("even" if number % 2 == 0 else "odd",),
            language="en",
        )
        out.append(Record(item, attachments=(Attachment(f"m{number:05}-f", text=text),)))
    return out


def paragraphs(text: str, kind: ChunkKind = ChunkKind.BODY, language: str = "en") -> list[NewChunk]:
    """A chunk for each paragraph of a text."""
    out = []
    for block in plain_pack(text).blocks:
        span = ((block.start, block.end),)
        part = chunk_text(text, span)
        out.append(NewChunk(Draft(span, kind), part, part, anchor={"kind": "text"}, language=language))
    return out


def chunks_of(record: Record) -> dict[str, list[NewChunk]]:
    """The chunks of a record's own text, notes and annotations, as `Store.put_record` takes them."""
    chunks: dict[str, list[NewChunk]] = {"": [item_chunk(record.item, record.item.language)]}
    for note in record.notes:
        chunks[note.id] = paragraphs(note.text, ChunkKind.NOTE)
    for annotation in record.annotations:
        chunk = annotation_chunk(annotation, "en")
        chunks[annotation.id] = [chunk] if chunk else []
    return chunks


def put(store: Store, record: Record) -> int:
    """A record with its item text, notes, annotations and inline files, all cut by paragraph. Returns the item row."""
    row = store.put_record(record, fingerprint(record), chunks_of(record))
    for attachment in record.attachments:
        if attachment.text is not None:
            entry = FileEntry(attachment.id, row, state=FileState.INDEXED, cutter="kit", letters=10)
            store.put_file(entry, None, paragraphs(attachment.text))
    return row


def open_store(folder: Path, name: str = "sqlite", plugins: Plugins | None = None) -> Store:
    """The built-in store, or another, in a folder."""
    entry = (plugins or Plugins()).find("store", name)
    made: Store = entry.factory(entry.settings() if entry.settings else None, Context(home=folder, folder=folder))
    return made


def ask(text: str) -> Query:
    """A query as pincite reads it."""
    from pincite.query.parse import parse

    return parse(text)


class TrigramEmbedder:
    """Implements `pincite.spec.Embedder` without a model: a text's letters' trigrams, hashed. Alike spelling is alike meaning."""

    def __init__(self, width: int = 32) -> None:
        self.facts = ModelFacts(f"trigrams@1/{width}", "trigrams", width, 500, "characters")

    def count(self, texts: Sequence[str]) -> list[int]:
        """A token is four characters."""
        return [(len(text) + 3) // 4 for text in texts]

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """One unit vector a text."""
        out = np.zeros((len(texts), self.facts.width), np.float32)
        for row, text in enumerate(texts):
            if cancelled():
                raise Cancelled("stopped")
            padded = f"  {text.lower()} "
            for at in range(len(padded) - 2):
                digest = zlib.crc32(padded[at : at + 3].encode("utf-8", "surrogatepass"))
                out[row, digest % self.facts.width] += 1 if digest & 0x10000 else -1
            if not out[row].any():
                out[row, 0] = 1
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), np.float32)

    def close(self) -> None:
        """Holds nothing."""


def embed_all(store: Store, embedder: Any) -> int:
    """Gives every pending text of a store its vector; returns how many."""
    model = embedder.facts.id
    pairs = store.embed_texts(store.pending(model))
    if pairs:
        store.put_vectors(model, [key for key, _ in pairs], embedder.embed([text for _, text in pairs], "passage"))
    return len(pairs)


def numbered(text: str) -> str:
    """A name for a test case of a text: its beginning in ASCII, and its length."""
    return f"{text[:12].encode('ascii', 'backslashreplace').decode()!r} ({len(text)})"


def plain(value: Mapping[str, Any]) -> bool:
    """Whether a value can be written as JSON."""
    import json

    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
