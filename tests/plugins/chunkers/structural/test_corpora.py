"""Over the corpora: no chunk over the maximum, none without letters, no bibliography embedded (specs/15-chunks.md)."""

from __future__ import annotations

import pytest

from pincite.chunks import chunk_text
from pincite.values.pack import Flow
from pincite.values.search import ChunkKind
from pincite_plugins.chunkers.structural.chunker import StructuralChunker
from pincite_plugins.extractors.epub.extractor import EpubExtractor
from pincite_plugins.extractors.html.extractor import HtmlExtractor
from pincite_plugins.extractors.pdf import Settings
from pincite_plugins.extractors.pdf.extractor import PdfExtractor

WINDOW = 508
FILES = {
    ".epub": (EpubExtractor(), ("books", "cjk")),
    ".html": (HtmlExtractor(), ("html",)),
    ".pdf": (PdfExtractor(Settings()), ("papers",)),
}


def by_quarter(texts):
    """About as many tokens as a subword tokenizer gives, and not additive, as none is."""
    return [len(text) // 4 + 1 for text in texts]


@pytest.mark.corpora
@pytest.mark.parametrize("suffix", FILES)
def test_every_document_is_cut_within_the_laws(corpora, suffix):
    extractor, folders = FILES[suffix]
    cut = embedded = 0
    for folder in folders:
        # every third paper: all of them take a minute
        for path in sorted((corpora / "docs" / folder).glob(f"*{suffix}"))[:: 3 if suffix == ".pdf" else 1]:
            pack = extractor.extract(path)
            references = {at for block in pack.blocks if block.reference for at in range(block.start, block.end)}
            excluded = {at for b in pack.blocks if b.flow is Flow.EXCLUDED for at in range(b.start, b.end)}
            drafts = StructuralChunker().cut(pack, by_quarter, WINDOW)
            assert drafts, path.name
            for draft in drafts:
                assert draft.tokens <= WINDOW, path.name
                assert any(map(str.isalpha, chunk_text(pack.text, draft.spans))), path.name
                places = {at for start, end in draft.spans for at in range(start, end) if not pack.text[at].isspace()}
                assert not places & excluded, path.name
                assert draft.kind is ChunkKind.REFERENCE or not places & references, path.name
                assert not (draft.embed and draft.kind is ChunkKind.REFERENCE)
                embedded += draft.embed
            cut += 1
    assert cut > 5
    assert embedded > cut
