"""The behaviours of tests/conformance/chunks.toml (specs/15-chunks.md)."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest

from pincite.chunks import chunk_text, embedded_text
from pincite.values.pack import Block, BlockKind, Flow, Pack, Section
from pincite_plugins.chunkers.structural.chunker import StructuralChunker

CASES = tomllib.loads((Path(__file__).parents[3] / "conformance" / "chunks.toml").read_text("utf-8"))["case"]


def by_words(texts):
    return [len(text.split()) for text in texts]


def by_letters(texts):
    return [len(text) for text in texts]


def sentence(number: int) -> str:
    return f"Crab {number} waited under the stone for seven long tides."


def made(block: dict) -> str:
    if "sentences" in block:
        first = block.get("from", 1)
        return " ".join(sentence(number) for number in range(first, first + block["sentences"]))
    if "words" in block:
        return " ".join(["tide"] * block["words"])
    if "letters" in block:
        return "x" * block["letters"]
    return block["text"]


def pack_of(case: dict) -> Pack:
    text = ""
    blocks = []
    for block in case["blocks"]:
        if text:
            text += "\n\n"
        start = len(text)
        text += made(block)
        blocks.append(
            Block(
                start,
                len(text),
                BlockKind(block.get("kind", "paragraph")),
                Flow(block.get("flow", "body")),
                block.get("section", -1),
                block.get("page"),
                block.get("reference", False),
                block.get("role", ""),
            )
        )
    sections = tuple(Section(title, 1, parent) for title, parent in case.get("sections", []))
    return Pack("text", text, tuple(blocks), sections)


@pytest.fixture(params=CASES, ids=[case["name"] for case in CASES])
def cut(request):
    case = request.param
    pack = pack_of(case)
    count = by_letters if case.get("count") == "letters" else by_words
    window = case.get("window", 510)
    return case, pack, StructuralChunker().cut(pack, count, window), count, min(window, 768)


def test_behaviour(cut):
    case, pack, drafts, _, _ = cut
    texts = [chunk_text(pack.text, draft.spans) for draft in drafts]
    expected = {key: case[key] for key in ("tokens", "kinds", "paths", "pages", "embed", "roles") if key in case}
    found = {
        "tokens": [draft.tokens for draft in drafts],
        "kinds": [draft.kind.value for draft in drafts],
        "paths": [list(draft.section) for draft in drafts],
        "pages": [draft.page for draft in drafts],
        "embed": [draft.embed for draft in drafts],
        "roles": [draft.role for draft in drafts],
    }
    assert {key: found[key] for key in expected} == expected
    assert len(drafts) == case.get("pieces", len(drafts))
    for text, part in zip(texts, case.get("holds", []), strict=False):
        assert part in text
    for part in case.get("lacks", []):
        assert not any(part in text for text in texts)
    if "apart" in case:
        assert all(any(part in text for text in texts) for part in case["apart"])
        assert not any(all(part in text for part in case["apart"]) for text in texts)
    if case.get("overlap"):
        for before, after in itertools.pairwise(texts):
            assert after.split(".")[0] in before
    assert all(draft.tokens > case.get("each_over", 0) for draft in drafts)
    assert all(draft.tokens >= case.get("each_at_least", 0) for draft in drafts)


def test_laws(cut):
    """What holds of every cut: sizes, counts, exact and rising slices, nothing lost."""
    _, pack, drafts, count, budget = cut
    assert all(draft.tokens <= budget for draft in drafts)
    for draft in drafts:
        text = chunk_text(pack.text, draft.spans)
        assert draft.tokens == count([embedded_text(draft.section, text, draft.path_embedded)])[0]
        assert any(map(str.isalpha, text))
        assert all(start < end for start, end in draft.spans)
        assert all(pack.text[start:end] == pack.text[start:end].strip() for start, end in draft.spans)
        assert all(a[1] <= b[0] for a, b in zip(draft.spans, draft.spans[1:], strict=False))
    firsts = [draft.spans[0][0] for draft in drafts]
    assert firsts == sorted(set(firsts))
    held = {at for draft in drafts for start, end in draft.spans for at in range(start, end)}
    for block in pack.blocks:
        whole = pack.text[block.start : block.end]
        if block.flow is not Flow.EXCLUDED and block.kind is not BlockKind.HEADING and any(map(str.isalpha, whole)):
            lost = [at for at in range(block.start, block.end) if at not in held and not pack.text[at].isspace()]
            assert not lost
