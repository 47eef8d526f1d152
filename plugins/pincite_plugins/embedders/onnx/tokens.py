"""Tokens of a text, whichever tokenizer a model's folder has. Loads no weights."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

from pincite.errors import PinciteError
from pincite_plugins.embedders.onnx.convert import TOKENIZER, TOKENS

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class Tokens(Protocol):
    """Turns texts into ids and knows the special tokens that go around them."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    def encode(self, text: str) -> list[int]:
        """Ids without special tokens. Takes any text."""
        ...

    def count(self, text: str) -> int:
        """How many there are."""
        ...


class _FromUnigram:
    def __init__(self, path: Path) -> None:
        from pincite_plugins.embedders.onnx.unigram import Unigram

        self._unigram = Unigram(path)
        self.before: tuple[int, ...] = (self._unigram.bos,)
        self.after: tuple[int, ...] = (self._unigram.eos,)

    def encode(self, text: str) -> list[int]:
        return self._unigram.encode(text)

    def count(self, text: str) -> int:
        return self._unigram.count(text)


class _FromJson:
    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        marked = self._tokenizer.encode("")
        if any(not special for special in marked.special_tokens_mask):
            raise PinciteError(f"{path}: gives tokens for an empty text; not a tokenizer that pincite can use")
        around = self._tokenizer.encode("a").special_tokens_mask
        first = around.index(0)
        self.before = tuple(marked.ids[:first])
        self.after = tuple(marked.ids[first:])

    def encode(self, text: str) -> list[int]:
        text = _LONE_SURROGATES.sub("\ufffd", text)
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def count(self, text: str) -> int:
        return len(self.encode(text))


def open_tokens(folder: Path) -> Tokens:
    """The tokenizer in a model's folder."""
    if (folder / TOKENS).is_file():
        return _FromUnigram(folder / TOKENS)
    return _FromJson(folder / TOKENIZER)
