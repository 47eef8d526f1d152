"""The cut itself: a pack → drafts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pincite.chunks import PATH_BREAK, chunk_text, embedded_text, path_text
from pincite.spec import CountTokens
from pincite.text.sentences import sentences
from pincite.values.pack import Pack
from pincite.values.search import ChunkKind, Draft
from pincite_plugins.chunkers.structural import VERSION
from pincite_plugins.chunkers.structural.groups import grouped, naming, paragraph_groups, without_said
from pincite_plugins.chunkers.structural.layout import (
    Alone,
    Layout,
    Paragraph,
    Paths,
    Spans,
    layout,
    merged,
    paragraph_texts,
    with_tokens,
)
from pincite_plugins.chunkers.structural.pieces import atoms, even_pieces

FEWEST_WORDS = 3
"""A text of fewer words gets no vector: it would be near to everything."""


@dataclass(frozen=True, slots=True)
class StructuralChunker:
    """See specs/15-chunks.md. Sizes are tokens."""

    minimum: int = 120
    maximum: int = 768
    overlap: int = 48
    name: str = "structural"
    version: int = VERSION

    def cut(self, pack: Pack, count: CountTokens, window: int) -> list[Draft]:
        """The chunks of a pack in reading order."""
        budget = max(1, min(self.maximum, window))
        # A window of a few dozen tokens keeps the proportions.
        sizes = Sizes(budget, min(self.minimum, max(1, budget // 2)), min(self.overlap, budget // 4))
        return Cut(pack, count, sizes).drafts()


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes in force, in tokens."""

    budget: int
    minimum: int
    overlap: int


@dataclass(frozen=True, slots=True)
class Run:
    """Paragraphs that become one chunk where they fit into `room`; `model` is a draft without its spans."""

    paragraphs: list[Paragraph]
    model: Draft
    room: int

    @property
    def fits(self) -> bool:
        """Whether one chunk takes them all."""
        return sum(paragraph.tokens for paragraph in self.paragraphs) <= self.room


class Cut:
    """One pack being cut."""

    def __init__(self, pack: Pack, count: CountTokens, sizes: Sizes) -> None:
        self.pack = pack
        self.text = pack.text
        self.count = count
        self.sizes = sizes
        self.paths = Paths(pack)
        self._starts = [block.start for block in pack.blocks]
        self._path_tokens: dict[int, int] = {}

    def drafts(self) -> list[Draft]:
        """All chunks, by where they begin."""
        found = layout(self.pack)
        texts = list(paragraph_texts(self.pack, found))
        if not texts:
            return []
        paths = [path_text(self.paths.titles(section)) + PATH_BREAK for section in range(len(self.pack.sections))]
        counts = self.count([*texts, *paths])
        self._path_tokens = dict(enumerate(counts[len(texts) :]))
        found = with_tokens(found, counts[: len(texts)])
        drafts = [*self._body(found), *self._alone(found), *self._references(found)]
        drafts = [draft for draft in drafts if has_letter(self._draft_text(draft))]
        return sorted(self._counted(drafts), key=lambda draft: draft.spans)

    # -- the three streams
    def _body(self, found: Layout) -> list[Draft]:
        drafts: list[Draft] = []
        for group in grouped(found.units, self.paths, self.sizes.minimum):
            whole = self._run(group.paragraphs, group.role)
            if whole is None or whole.fits:
                runs = [whole]
            else:
                parts = paragraph_groups(group.paragraphs, self.sizes.minimum)
                runs = [self._run(part, group.role) for part in parts]
            for run in runs:
                if run is not None:
                    drafts.extend(self._fit(run.model, run.paragraphs, run.room))
        return drafts

    def _run(self, paragraphs: Sequence[Paragraph], role: str) -> Run | None:
        """Paragraphs below the path of the section that most of them belong to; None where the path says all there
        is."""
        section = naming(paragraphs, self.paths)
        rest = without_said(paragraphs, section, self.paths, self._paragraph_text)
        return Run(rest, self._model(section, ChunkKind.BODY, role), self._room(section)) if rest else None

    def _alone(self, found: Layout) -> list[Draft]:
        drafts: list[Draft] = []
        for block in found.alone:
            model = self._model(block.section, block.kind, block.role)
            drafts.extend(self._fit(model, [_as_paragraph(block)], self._room(block.section)))
        return drafts

    def _references(self, found: Layout) -> list[Draft]:
        """Entries side by side, in groups that close on reaching the minimum."""
        drafts: list[Draft] = []
        run: list[Paragraph] = []
        for at, block in enumerate(found.references):
            run.append(_as_paragraph(block))
            after = found.references[at + 1] if at + 1 < len(found.references) else None
            full = sum(entry.tokens for entry in run) >= self.sizes.minimum
            if full or after is None or after.section != block.section:
                model = self._model(block.section, ChunkKind.REFERENCE, "")
                model = replace(model, embed=False, path_embedded=False)
                drafts.extend(self._fit(model, run, self.sizes.budget))
                run = []
        return drafts

    # -- one group
    def _fit(self, model: Draft, paragraphs: Sequence[Paragraph], room: int) -> list[Draft]:
        """A run of paragraphs as one chunk, or as even pieces where it is over the room."""
        if sum(paragraph.tokens for paragraph in paragraphs) <= room:
            return [self._draft(model, [paragraph.spans for paragraph in paragraphs])]
        return self._pieces(model, paragraphs, room)

    def _pieces(self, model: Draft, paragraphs: Sequence[Paragraph], room: int) -> list[Draft]:
        parts = atoms(self.text, paragraphs, self.count, room, sentences)
        ranges = even_pieces([part.tokens for part in parts], room, self.sizes.overlap)
        return [self._draft(model, [part.spans for part in parts[start:end]]) for start, end in ranges]

    def _draft(self, model: Draft, parts: Sequence[Spans]) -> Draft:
        spans = merged(self.text, [span for spans in parts for span in spans])
        return replace(model, spans=spans, page=self._page(spans[0][0]))

    def _model(self, section: int, kind: ChunkKind, role: str) -> Draft:
        fits = self._path(section) * 4 <= self.sizes.budget
        return Draft((), kind, self.paths.titles(section), None, True, 0, role, fits)

    # -- sizes
    def _path(self, section: int) -> int:
        """Tokens of a section path with the empty line after it."""
        return self._path_tokens.get(section, 0) if self.paths.titles(section) else 0

    def _room(self, section: int) -> int:
        """Tokens left for text below a section's path, which is dropped where it takes over a quarter of the budget."""
        path = self._path(section)
        return self.sizes.budget - (path if path * 4 <= self.sizes.budget else 0)

    def _counted(self, drafts: list[Draft]) -> list[Draft]:
        """Drafts with their exact counts. The parts of a text can count less than the whole by a token or two where
        they meet, so a chunk that proves over the budget is cut once more, with less room."""
        counts = self.count([self._embedded(draft) for draft in drafts]) if drafts else []
        done: list[Draft] = []
        for draft, tokens in zip(drafts, counts, strict=True):
            if tokens <= self.sizes.budget:
                done.append(self._finished(draft, tokens))
            else:
                done.extend(self._shrunk(draft, tokens - self.sizes.budget))
        return done

    def _shrunk(self, draft: Draft, excess: int) -> list[Draft]:
        whole = Paragraph(draft.spans, -1)
        path = self.count([path_text(draft.section) + PATH_BREAK])[0] if draft.section and draft.path_embedded else 0
        room = self.sizes.budget - path - excess
        while True:
            pieces = self._pieces(replace(draft, spans=()), [whole], max(1, room))
            pieces = [piece for piece in pieces if has_letter(self._draft_text(piece))]
            counts = self.count([self._embedded(piece) for piece in pieces]) if pieces else []
            if room <= 1 or max(counts, default=0) <= self.sizes.budget:
                return [self._finished(piece, n) for piece, n in zip(pieces, counts, strict=True)]
            room = room * 3 // 4

    def _finished(self, draft: Draft, tokens: int) -> Draft:
        return replace(draft, tokens=tokens, embed=draft.embed and words_reach(self._draft_text(draft), FEWEST_WORDS))

    # -- texts and places
    def _paragraph_text(self, paragraph: Paragraph) -> str:
        return chunk_text(self.text, paragraph.spans)

    def _draft_text(self, draft: Draft) -> str:
        return chunk_text(self.text, draft.spans)

    def _embedded(self, draft: Draft) -> str:
        return embedded_text(draft.section, self._draft_text(draft), draft.path_embedded)

    def _page(self, start: int) -> int | None:
        """The page of an offset: its word's, where words have places; else its block's."""
        places = self.pack.places
        if places is not None and len(places.start):
            at = int(np.searchsorted(places.end, start, side="right"))
            if at < len(places.start):
                return int(places.page[at])
        block = bisect_right(self._starts, start) - 1
        return self.pack.blocks[block].page if block >= 0 else None


def _as_paragraph(block: Alone) -> Paragraph:
    return Paragraph(block.spans, block.section, tokens=block.tokens)


def has_letter(text: str) -> bool:
    """Whether a text holds a letter of any script."""
    return any(map(str.isalpha, text))


_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


def words_reach(text: str, least: int) -> bool:
    """Whether a text has at least `least` words that hold a letter. Han and kana write no spaces: two characters are
    a word."""
    found = 0
    for match in _WORD.finditer(text):
        word = match.group()
        found += max(1, len(word) // 2) if ord(word[0]) >= 0x2E80 and not "\uac00" <= word[0] <= "\ud7a3" else 1
        if found >= least:
            return True
    return False
