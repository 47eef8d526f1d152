"""Writes a unigram vocabulary as ``tokenizer.json`` of the package `tokenizers`: for other programs, and as an oracle in tests.

pincite itself reads the vocabulary with `unigram`, which differs in three things that this form cannot say: neighbouring unknown
characters stay apart, a character is normalised even where a combining mark follows it, and NUL is dropped.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

from pincite_plugins.embedders.onnx.charsmap import charsmap
from pincite_plugins.embedders.onnx.unigram import MARK, Vocabulary


def write(vocabulary: Vocabulary, path: Path) -> None:
    """Writes the file."""
    specials = [vocabulary.bos, vocabulary.pad, vocabulary.eos, vocabulary.unknown]
    bos, eos = vocabulary.pieces[vocabulary.bos], vocabulary.pieces[vocabulary.eos]
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": one,
                "content": vocabulary.pieces[one],
                "special": True,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
            }
            for one in sorted(specials)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {
                    "type": "Precompiled",
                    "precompiled_charsmap": base64.b64encode(charsmap(vocabulary.mapping)).decode("ascii"),
                },
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_special(bos), _text("A"), _special(eos)],
            "pair": [_special(bos), _text("A"), _special(eos), _text("B"), _special(eos)],
            "special_tokens": {
                name: {"id": name, "ids": [number], "tokens": [name]}
                for name, number in ((bos, vocabulary.bos), (eos, vocabulary.eos))
            },
        },
        "decoder": {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True},
        "model": {
            "type": "Unigram",
            "unk_id": vocabulary.unknown,
            "vocab": list(zip(vocabulary.pieces, (float(score) for score in vocabulary.scores), strict=True)),
            "byte_fallback": False,
        },
    }
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")


def _text(name: str) -> dict[str, object]:
    return {"Sequence": {"id": name, "type_id": 0}}


def _special(name: str) -> dict[str, object]:
    return {"SpecialToken": {"id": name, "type_id": 0}}
