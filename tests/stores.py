"""Stores for tests: records and chunks of invented works, without extractors or models."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pincite.item_text import annotation_chunk, item_chunk
from pincite.spec import ModelFacts
from pincite.testing.samples import paragraphs
from pincite.values.ledger import FileEntry, FileState, NewChunk
from pincite.values.library import Annotation, Attachment, Creator, Item, Note, Record, fingerprint
from pincite.values.search import ChunkKind

KELP = Record(
    Item("kelp", "article-journal", "Kelp forests after the storm", creators=(Creator("Okafor", "Ada"),), year=2018,
         abstract="Storms thin the canopy and light reaches the floor.", tags=("ocean",), collections=("Coast/Plants",)),
    notes=(Note("kelp-n", "Ask Ada about the urchins in the second plot."),),
    annotations=(Annotation("kelp-a", "kelp-f", text="light reaches the floor", comment="compare with plot two", page=3,
                            page_label="iii"),),
    attachments=(Attachment("kelp-f", text="The holdfast grips the rock.\n\nUrchins graze where otters are gone."),),
)  # fmt: skip
BELLS = Record(
    Item("bells", "book", "Glocken und Zeit", creators=(Creator("Brandt", "Uwe"),), year=1999, tags=("Zeit", "Ocean"), group="Guild"),
    attachments=(Attachment("bells-f", text="Die Glocke schlägt zur vollen Stunde."),),
)  # fmt: skip


def put(store, record: Record) -> int:
    """A record with its item text, notes, annotations and inline files, all cut by paragraph."""
    chunks: dict[str, list[NewChunk]] = {"": [item_chunk(record.item, "en")]}
    for note in record.notes:
        chunks[note.id] = paragraphs(note.text, ChunkKind.NOTE)
    for annotation in record.annotations:
        chunk = annotation_chunk(annotation, "en")
        chunks[annotation.id] = [chunk] if chunk else []
    row = store.put_record(record, fingerprint(record), chunks)
    for attachment in record.attachments:
        if attachment.text is not None:
            entry = FileEntry(attachment.id, row, state=FileState.INDEXED, cutter="test", letters=10)
            store.put_file(entry, None, paragraphs(attachment.text))
    return row


def open_store(folder: Path):
    """The built-in store in a folder."""
    from pincite_plugins.stores.sqlite.store import SqliteStore

    return SqliteStore(folder)


def vectors_of(texts, width=32):
    """Unit vectors that depend on nothing but the text: its letters' trigrams, hashed."""
    import zlib

    out = np.zeros((len(texts), width), np.float32)
    for row, text in enumerate(texts):
        padded = f"  {text.lower()} "
        for at in range(len(padded) - 2):
            digest = zlib.crc32(padded[at : at + 3].encode("utf-8", "surrogatepass"))
            out[row, digest % width] += 1 if digest & 0x10000 else -1
    norms = np.linalg.norm(out, axis=1, keepdims=True)
    out[:, 0] += (norms[:, 0] == 0).astype(np.float32)
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


FACTS = ModelFacts("trigrams@1/32", "trigrams", 32, 500)


class Trigrams:
    """An embedder of `vectors_of`."""

    facts = FACTS

    def embed(self, texts, kind, cancelled=lambda: False):
        return vectors_of(texts)


def embed_all(store, model: str, width=32) -> int:
    """Gives every pending text of a store its vector."""
    pairs = store.embed_texts(store.pending(model))
    if pairs:
        store.put_vectors(model, [key for key, _ in pairs], vectors_of([text for _, text in pairs], width))
    return len(pairs)
