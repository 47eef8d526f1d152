"""A library opened: its source, its index, and the questions that can be asked of it."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.config.load import Config, validate_section
from pincite.errors import UsageError
from pincite.paths import check_listed, stands
from pincite.plugin.guard import guard
from pincite.plugin.making import make_with
from pincite.plugin.manager import Plugins
from pincite.plugin.use import using
from pincite.search.asked_once import AskedOnce
from pincite.search.cache import MOST, RecentAnswers
from pincite.spec import Cancel, Chunker, Context, Embedder, Fuser, Picker, Provider, Ranker, Reranker, Source, Store
from pincite.values.results import Hit, Results
from pincite.values.search import Filter

if TYPE_CHECKING:
    from pincite.indexing.previews import Previews
    from pincite.search.answer import Asked
    from pincite.values.located import Located

_never: Cancel = lambda: False  # noqa: E731


WORDS = "lexical"
"""The picker that needs no model."""


class Library:
    """One library and its index. Make it with `pincite.open`; close it, or use it in a ``with`` block. Any thread may ask it: calls take
    turns, as parts that plugins make are used by one thread at a time. Open it twice to search while it is indexed.

    `path` is what the source reads; `folder` holds the index, which can be deleted at any time; `name` is what the configuration calls the
    library, else its path.
    """

    def __init__(self, path: Path, config: Config, plugins: Plugins, *, source: str | None = None, folder: Path | None = None,
                 name: str = "", note: Callable[[str], None] = lambda line: None) -> None:  # fmt: skip
        self.path = path
        self.name = name or str(path)
        self.config = config
        self.plugins = plugins
        self.folder = folder or config.home / "indexes" / _slug(path)
        self._source_name = source
        self._note = note
        self._open: list[Any] = []
        self.turn = threading.RLock()
        """Held by whoever uses the parts."""

    # ------------------------------------------------------------------------------------------ the parts

    def make(self, kind: str, name: str) -> Any:
        """A plugin made from its section of the configuration."""
        entry = self.plugins.find(kind, name)
        where = f"{kind}.{name}" if kind in ("source", "extractor", "ranker") else kind
        settings = validate_section(entry.settings, self.config.section(kind, name), where, self.config.origins)
        with using(entry.plugin):
            made = entry.factory(settings, self.context)
        made = guard(kind, entry.label, made)
        self._open.append(made)
        return made

    @cached_property
    def context(self) -> Context:
        """Where this library's plugins work."""
        return Context(
            home=self.config.home,
            folder=self.folder,
            library=self.path,
            store=lambda: self.store,
            embedder=lambda: self.embedder,
            make=lambda kind, name, values: make_with(self.plugins, kind, name, values, self.context),
            note=self._note,
            threads=self.config.settings.index.threads,
        )

    @cached_property
    def source_name(self) -> str:
        """The name of the source that reads this library: as configured, else the one that recognises the path best."""
        if self._source_name:
            return self._source_name
        check_listed(self.path)
        scores = []
        for entry in self.plugins.all("source"):
            recognises = entry.facts.get("recognises")
            if recognises is not None:
                with using(entry.plugin):
                    scores.append((float(recognises(self.path) or 0), entry.name))
        best = max(scores, default=(0.0, ""), key=lambda pair: (pair[0], pair[1]))
        if best[0] <= 0:
            said = f"{self.path}: not a library that pincite can read; there are sources for: {', '.join(self.plugins.names('source'))}"
            raise UsageError("; ".join([said, *self.plugins.failed_of_any_kind()]))
        return best[1]

    def source(self) -> Source:
        """The source, opened anew."""
        if not stands(self.path):
            raise UsageError(
                f"{self.path}: no such file or folder; give the path of a Zotero data directory, a .bib file or a folder"
            )
        made: Source = self.make("source", self.source_name)
        self._open.remove(made)
        return made

    @cached_property
    def store(self) -> Store:
        """The store of this index."""
        made: Store = self.make("store", self.config.settings.store.use)
        return made

    @cached_property
    def embedder(self) -> Embedder:
        """The configured embedder."""
        return AskedOnce(self.make("embedder", self.config.settings.embedder.use))

    @cached_property
    def chunker(self) -> Chunker:
        """The configured chunker."""
        made: Chunker = self.make("chunker", self.config.settings.chunker.use)
        return made

    @cached_property
    def fuser(self) -> Fuser:
        """The configured fuser."""
        made: Fuser = self.make("fuser", self.config.settings.fuser.use)
        return made

    @cached_property
    def picker(self) -> Picker:
        """The configured picker."""
        made: Picker = self.make("picker", self.config.settings.picker.use)
        return made

    @cached_property
    def reranker(self) -> Reranker:
        """The configured reranker. There is one where ``[reranker] use`` names it."""
        made: Reranker = self.make("reranker", self.config.settings.reranker.use)
        return made

    def pickers_for(self, rankers: Collection[str]) -> tuple[Picker, ...]:
        """The configured picker, and after it the one by words, which is heard where it has no opinion.

        Where words alone answered, one that goes by meaning (the fact ``by_meaning``) is left out: no model is made ready for it."""
        use = self.config.settings.picker.use
        by_words = set(rankers) <= set(self.config.settings.engines.get("lexical", ()))
        if use == WORDS or (by_words and self.plugins.find("picker", use).facts.get("by_meaning")):
            return (self.picker_by_words,)
        return (self.picker, self.picker_by_words)

    @cached_property
    def picker_by_words(self) -> Picker:
        """The picker that goes by words."""
        made: Picker = self.make("picker", WORDS)
        return made

    @cached_property
    def recent_scores(self) -> RecentAnswers[Any]:
        """The evidence of recent questions."""
        return RecentAnswers()

    @cached_property
    def recent_hits(self) -> RecentAnswers[list[Hit]]:
        """Their hits."""
        return RecentAnswers(4 * MOST)

    @cached_property
    def previews(self) -> Previews:
        """Files that are not indexed yet, read for whoever wants to see a passage of them now."""
        from pincite.indexing.previews import Previews

        made = Previews(self)
        self._open.append(made)
        return made

    def end_previews(self) -> None:
        """Ends the readers of previews, where there are any; they are begun anew when they are asked again."""
        if "previews" in self.__dict__:
            self.previews.close()

    def ranker(self, name: str) -> Ranker:
        """A ranker by name, opened once."""
        rankers: dict[str, Ranker] = self.__dict__.setdefault("_rankers", {})
        if name not in rankers:
            rankers[name] = self.make("ranker", name)
        return rankers[name]

    def forget_ranker(self, name: str) -> None:
        """Closes a ranker; it is opened again when it is asked for."""
        ranker = self.__dict__.get("_rankers", {}).pop(name, None)
        if ranker is not None:
            self._open.remove(ranker)
            ranker.close()

    def providers(self) -> dict[str, Callable[[], Provider]]:
        """Every provider of vectors, by name, each made when it is called."""
        return {name: lambda name=name: self.make("provider", name) for name in self.plugins.names("provider")}  # type: ignore[misc]

    def rankers_of(self, engine: str) -> tuple[str, ...]:
        """The names of an engine's rankers. Raises `UsageError` for an engine that there is not."""
        engines = self.config.settings.engines
        if engine not in engines:
            raise UsageError(f"no engine is called '{engine}'; there is: {', '.join(sorted(engines))}")
        return engines[engine]

    @property
    def indexed(self) -> bool:
        """Whether a run has read this library's records at least once."""
        return self.folder.is_dir() and self.store.get("reconciled") is not None

    # ------------------------------------------------------------------------------------------ asking

    def search(
        self,
        query: str,
        *,
        engine: str | None = None,
        limit: int | None = None,
        filter: Filter | None = None,
        margin: float | None = None,
        cancelled: Cancel = _never,
    ) -> Results:
        """The works that answer `query`, best first, with the passages that say it.

        `engine`: hybrid, lexical, semantic, or another of the configuration. `limit`: hits (1 to 10,000). `filter` is joined with what the
        query itself asks for. An answer that is incomplete says why in `degraded`. Raises `UsageError` for an empty query.
        """
        limit = limit if limit is not None else self.config.settings.limit
        with self.turn:
            asked = self.ask(query, engine=engine, limit=limit, filter=filter, margin=margin, cancelled=cancelled)
            return asked.results(limit)

    def ask(
        self,
        query: str,
        *,
        engine: str | None = None,
        limit: int | None = None,
        filter: Filter | None = None,
        margin: float | None = None,
        cancelled: Cancel = _never,
    ) -> Asked:
        """The same, its passages derived when they are asked for: ``asked.hits(10, 10)``, ``asked.session.all_passages(item)``. `limit`:
        how many works should be ranked at least."""
        from pincite.search.answer import ask

        settings = self.config.settings
        with self.turn:
            return ask(
                self,
                query,
                engine or settings.engine,
                limit if limit is not None else settings.limit,
                filter or Filter(),
                settings.margin if margin is None else margin,
                cancelled,
            )

    def locate(self, quote: str, *, cancelled: Cancel = _never) -> Located:
        """Where a quotation stands: every place of it, or, where it is nowhere, what comes nearest (specs/30-locating.md).

        Raises `UsageError` for a quotation without a word, and where nothing is indexed yet.
        """
        from pincite.locating import locate

        with self.turn:
            return locate(self, quote, cancelled)

    def index(
        self,
        progress: Callable[[str, int, int, str], None] | None = None,
        *,
        seconds: float | None = None,
        retry: bool = False,
        embed: bool = True,
        cancelled: Cancel = _never,
        kicked: Callable[[], bool] = _never,
    ) -> Any:
        """Brings the index up to date; returns a `pincite.indexing.report.Report`.

        `progress` is called with (step, done, total, detail), total 0 while it is not known. `seconds` ends the run early, whole
        attachments kept. `retry` tries parked files again. `embed` False leaves the vectors for another run.
        """
        from pincite.indexing.run import run

        with self.turn:
            return run(self, progress, seconds=seconds, retry=retry, embed=embed, cancelled=cancelled, kicked=kicked)

    def rest(self) -> None:
        """Lets the embedder and the readers of previews give their memory back; they are made anew when they are asked again."""
        with self.turn:
            self.end_previews()
            embedder = self.__dict__.get("embedder")
            if embedder is not None:
                embedder.close()

    def status(self, diagnostics: bool = False) -> dict[str, Any]:
        """Totals and coverage as plain data (specs/11-status-json.md); `diagnostics`: with how the last run went."""
        from pincite.indexing.status import status

        with self.turn:
            return status(self, diagnostics)

    def close(self, patience: float = 2.0) -> None:
        """Closes everything that was opened, once no call is under way. One that does not end within `patience` seconds keeps its parts."""
        if self.turn.acquire(timeout=patience):
            try:
                self._close()
            finally:
                self.turn.release()

    def _close(self) -> None:
        while self._open:
            part = self._open.pop()
            close = getattr(part, "close", None)
            if close is not None:
                close()
        for name in (
            "store",
            "embedder",
            "_rankers",
            "fuser",
            "picker",
            "picker_by_words",
            "chunker",
            "reranker",
            "previews",
            "context",
        ):
            self.__dict__.pop(name, None)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _slug(path: Path) -> str:
    real = os.path.realpath(path)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", os.path.basename(real)).strip("-.")[:40] or "library"
    return f"{name}-{hashlib.blake2b(os.fsencode(real), digest_size=6).hexdigest()}"
