"""The index on disk: tantivy's segments, and a small file that says what they were made with and how far they have come."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tantivy

from pincite.errors import Damaged
from pincite.text.stems import ALGORITHMS, stems
from pincite.text.tokens import STOP, index_text
from pincite.text.tokens import VERSION as TOKENS
from pincite.values.search import ChunkText
from pincite.whole import write_whole
from pincite_tantivy.damage import look_at, segment_files
from pincite_tantivy.often import COLUMN, Tally, most_frequent

FORMAT = 4
MENTIONS = {
    "title": 3, "abstract": 1, "metadata": 1, "annotation": 2, "note": 1, "body": 1, "context": 3, "heading": 1,
}  # fmt: skip
"""How often a column's words are said in the field ``words``: tantivy has one length a field, and a title in a field of its own would be
long beside the rows that have none. References have a field of their own, which counts for less."""

EAGER = 32 << 20
"""Bytes of segments up to which every one is checked before the first answer (about 0.03 s); beyond, once a week."""

REMEMBERED = 100_000
"""Words of a language whose stems are held."""

FALLBACK_LANGUAGE = "en"
"""Whose stems a text in no known language gets."""


@dataclass
class About:
    """What the index was made with, the last change that it holds, rows gone since it was made, and its rows by language. `often`: the
    words in its column, which were chosen when there were `chosen_of` rows (0: not yet)."""

    made_with: str
    applied: int = 0
    gone: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    often: list[str] = field(default_factory=list)
    chosen_of: int = 0


class Index:
    """Opens, reads and writes. A reader sees the last commit; `about` is written after it, so what was cut short is applied again."""

    def __init__(self, folder: Path, stems: bool, memory: int) -> None:
        self.folder = folder
        self._checked: set[Path] = set()
        self._stems = stems
        self._memory = memory << 20
        self._made_with = json.dumps({"format": FORMAT, "tokens": TOKENS, "stems": stems}, sort_keys=True)
        self._index: tantivy.Index | None = None
        self._about_file = str(folder / "about.json")
        self._searcher: tantivy.Searcher | None = None
        self._seen: tuple[int, int] | None = None
        self.schema = _schema()

    def about(self) -> About | None:
        """What is on the disk, or None where there is no usable index."""
        try:
            read = json.loads((self.folder / "about.json").read_text("utf-8"))
            found = About(**{**read, "languages": Counter(read["languages"])})
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            return None
        return found if found.made_with == self._made_with else None

    def searcher(self) -> tantivy.Searcher | None:
        """The last commit, or None where there is no index: the same object until there is another."""
        seen = self._stamp()
        if self._searcher is None or seen is None or seen != self._seen:
            if self.about() is None:
                return None
            self._check()
            index = self._opened()
            index.reload()
            self._searcher, self._seen = index.searcher(), seen
        return self._searcher

    def _check(self) -> None:
        """Looks at files that are new, where they are few; raises `Damaged`."""
        new = [path for path in segment_files(self.folder) if path not in self._checked]
        with contextlib.suppress(FileNotFoundError):  # merged meanwhile
            if sum(path.stat().st_size for path in new) <= EAGER:
                look_at(new)
        self._checked.update(new)

    def _stamp(self) -> tuple[int, int] | None:
        """What tells about.json, which each commit writes anew, from another; None where there is none."""
        try:
            state = os.stat(self._about_file)
        except FileNotFoundError:
            return None
        return state.st_mtime_ns, state.st_ino

    def writer(self) -> tantivy.IndexWriter:
        """For one commit. One thread, so that the same rows give the same segments."""
        return self._opened().writer(heap_size=self._memory, num_threads=1)

    def discard(self) -> None:
        """Throws away what cannot be read."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, about: About) -> None:
        """Says what the last commit holds."""
        write_whole(self.folder / "about.json", json.dumps(vars(about)))

    def fresh(self) -> About:
        """Of an empty index."""
        return About(self._made_with)

    def add(self, writer: tantivy.IndexWriter, text: ChunkText, often: Tally | None) -> None:
        """A row's words, and how often it says those of the column, if there are any."""
        document = tantivy.Document()
        document.add_unsigned("row", text.row)
        said: list[str] = []
        length = 0
        for column, value in text.columns.items():
            tokens = index_text(value)
            if tokens and column in ("title", "reference"):
                document.add_text(column, tokens)
            mentions = MENTIONS.get(column, 0) if tokens else 0
            listed = tokens.split()
            stemmed = _stemmed(listed, text.language) if self._stems and mentions else ""
            for _ in range(mentions):
                document.add_text("words", tokens)
                if stemmed:
                    document.add_text("stem", stemmed)
            if often is not None:
                said += often.of(listed) * mentions
                length += len(listed) * mentions
        if often is not None:
            document.add_unsigned(COLUMN, often.column(said, length))
        writer.add_document(document)

    def close(self) -> None:
        """Lets go of the files."""
        self._index = self._searcher = None
        self._seen = None

    def _opened(self) -> tantivy.Index:
        if self._index is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                index = tantivy.Index(self.schema, str(self.folder))
            except (ValueError, OSError) as error:
                why = str(error).split(". ")[0]
                raise Damaged(
                    f"the index {self.folder} cannot be read ({why}); run `pincite index`, which makes it anew"
                ) from None
            index.register_tokenizer("tokens", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
            index.config_reader("manual")
            self._index = index
        return self._index


def frequent(texts: Iterable[ChunkText]) -> list[str]:
    """The words that the column shall hold, by a sample of rows."""
    return most_frequent(map(_words, texts))


def _words(text: ChunkText) -> Iterator[str]:
    for column, value in text.columns.items():
        if column in MENTIONS:
            yield from index_text(value).split()


def _schema() -> tantivy.Schema:
    builder: Any = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_unsigned_field(COLUMN, fast=True)
    for name in ("words", "title", "reference"):
        builder.add_text_field(name, tokenizer_name="tokens", index_option="position")
    builder.add_text_field("stem", tokenizer_name="tokens", index_option="freq")
    return builder.build()


class _Stems(dict[str, str]):
    """Word → its stem in one language. A cache: prose repeats its words."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __missing__(self, word: str) -> str:
        (value,) = stems([word], self._language)
        if len(self) >= REMEMBERED:
            self.clear()
        self[word] = value
        return value


_stems_of = functools.cache(_Stems)


def _stemmed(tokens: Sequence[str], language: str) -> str:
    language = language or FALLBACK_LANGUAGE
    if language not in ALGORITHMS:
        return ""
    stem_of = _stems_of(language)
    return " ".join([stem_of[token] for token in tokens if token != STOP])
