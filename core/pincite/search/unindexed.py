"""Passages of files that no run has reached yet, judged as the rankers would judge them: by the words they say and by what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pincite.search.glance import Floats, nearness
from pincite.search.labels import gain, labels_in
from pincite.search.own import carried, plainly_sought, without_title
from pincite.search.worth import Candidate, worth
from pincite.spec import Cancel, Embedder
from pincite.text.marks import matches
from pincite.text.wording import compounds_of, with_forms
from pincite.values.ledger import FileEntry, FileState
from pincite.values.library import Record
from pincite.values.query import Query
from pincite.values.quick import dataclass
from pincite.values.search import Chunk, Evidence, Sought

if TYPE_CHECKING:
    from pincite.indexing.previews import Previews

NEAR = "near"
"""Stands for the rankers by meaning, which do not know these passages: what a first look says of them."""

LOOKS = 500
"""Passages of a file that are looked at for what they mean: those of about 300 pages. Later ones are found by their words alone."""

TOGETHER = 32
"""Passages that are looked at in one go: their tokens' vectors are all in memory."""


@dataclass(frozen=True)
class Unindexed:
    """Where a session finds them. `embedder` is asked for its tokens' vectors where a ranker by meaning took part (else None).

    `seconds` for the works of an answer, of at most `files` files (0: none is read)."""

    previews: Callable[[], Previews]
    embedder: Callable[[], Embedder] | None
    seconds: float
    files: int

    def of(
        self,
        query: Query,
        sought: Sequence[Sought],
        lexical: str,
        records: Mapping[int, Record],
        entries: Iterable[FileEntry],
        cancelled: Cancel,
        seconds: float | None = None,
    ) -> Looked:
        """The passages of these files, which are read in the order given, in `seconds` where they are given.

        `lexical`: the ranker that goes by words, "" if it took no part."""
        asked = unread(entries)[: self.files if seconds is None else None]
        seconds = self.seconds if seconds is None else seconds
        looked = Looked()
        found = self.previews().read(asked, seconds, cancelled) if seconds > 0 and asked else {}
        for entry in asked:
            preview = found.get(entry.attachment)
            if preview is None:
                looked.pending.add(entry.item)
                continue
            if preview.reason:
                looked.reasons.setdefault(entry.item, {})[entry.attachment] = no_passage(entry, preview.reason)
            else:
                admitted = [one for one in preview.chunks if _admitted(query, *one)]
                near = self._near(query, [text for _, text in admitted[:LOOKS]])
                candidates = _candidates(query, sought, lexical, records[entry.item], admitted, near)
                looked.candidates.setdefault(entry.item, []).extend(candidates)
        return looked

    def _near(self, query: Query, texts: Sequence[str]) -> Floats | None:
        """How near each text is to the query by the vectors that the model's tokens begin with; None where there are none to have."""
        pieces = getattr(self.embedder(), "pieces", None) if self.embedder is not None else None
        if pieces is None or not query.semantic.strip() or not texts:
            return None
        asked = pieces([query.semantic])
        if asked is None:
            return None
        parts = [nearness(asked[0], pieces(texts[at : at + TOGETHER])) for at in range(0, len(texts), TOGETHER)]
        return np.concatenate(parts)


@dataclass(frozen=True)
class Looked:
    """Item → candidates, in reading order; item → attachment → why it has none, in one line; items whose file takes longer."""

    candidates: dict[int, list[Candidate]] = field(default_factory=dict)
    reasons: dict[int, dict[str, str]] = field(default_factory=dict)
    pending: set[int] = field(default_factory=set)


def unread(entries: Iterable[FileEntry]) -> list[FileEntry]:
    """Those that no run has reached."""
    return [entry for entry in entries if entry.state is FileState.WAITING]


def named(entry: FileEntry) -> str:
    """A file as a line about it begins."""
    return Path(entry.path).name or entry.attachment


def no_passage(entry: FileEntry, reason: str) -> str:
    """The line that says why a file that is not indexed yet gives no passage."""
    return f"{named(entry)} is not indexed yet, and gives no passage now: {reason}"


def reasons_of(entries: Iterable[FileEntry]) -> dict[int, dict[str, str]]:
    """Item → attachment → why no passage of it can be shown, in one line, by what the ledger knows."""
    told: dict[int, dict[str, str]] = {}
    for entry in entries:
        if entry.state is FileState.WAITING:
            told.setdefault(entry.item, {})[entry.attachment] = f"{named(entry)} is not indexed yet"
        elif entry.path and entry.state is not FileState.INDEXED:
            told.setdefault(entry.item, {})[entry.attachment] = f"{named(entry)}: {entry.reason}"
    return told


def _admitted(query: Query, chunk: Chunk, text: str) -> bool:
    """Whether the query's filter of languages and its exclusions let a passage answer; the others are the work's, which is there."""
    languages = {one.lower() for one in query.filter.languages}
    if languages and chunk.language not in languages:
        return False
    return not (query.excluded and matches(Query(query.text, terms=query.excluded), text, chunk.language))


def _candidates(
    query: Query,
    sought: Sequence[Sought],
    lexical: str,
    record: Record,
    chunks: Sequence[tuple[Chunk, str]],
    near: Floats | None,
) -> list[Candidate]:
    """What says any of the query's words, or comes nearer to it than half of what was looked at (`near`, of the first ones)."""
    if not chunks:
        return []
    compounds = compounds_of(query)
    sought = _in_its_forms(sought or plainly_sought(query), query, chunks)
    wanted = labels_in(query.words or query.text)
    spread = (float(np.median(near)), float(near.max())) if near is not None else None
    found = []
    for at, (chunk, text) in enumerate(chunks):
        own = carried(sought, compounds, without_title(text, record.item.title))
        gained = gain(wanted, text, chunk.kind)
        said: dict[str, Evidence] = {}
        if near is not None and spread is not None and at < len(near) and near[at] > spread[0]:
            among = (float(near[at]) - spread[0]) / (spread[1] - spread[0])
            said[NEAR] = Evidence(chunk.row, float(near[at]), among)
        if not (own.share or gained or said):
            continue
        one = Candidate(chunk, text, chunk.section, said, own.share, own.words, gained, sought=sought)
        spreads = {} if spread is None else {NEAR: spread}
        found.append(replace(one, evidence={}, worth=worth(one, lexical, spreads)))
    return found


def _in_its_forms(sought: Sequence[Sought], query: Query, chunks: Sequence[tuple[Chunk, str]]) -> tuple[Sought, ...]:
    """The words sought in the forms that a file says them in, language by language."""
    by_language: dict[str, list[str]] = {}
    for chunk, text in chunks:
        by_language.setdefault(chunk.language, []).append(text)
    found = tuple(sought)
    for language, texts in by_language.items():
        found = with_forms(found, query, texts, language)
    return found
