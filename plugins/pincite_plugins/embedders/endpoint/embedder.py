"""The embedder: passages go to the servers while these give the model's vectors; everything else is embedded here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from pincite.endpoints.agreement import centred, twins
from pincite.endpoints.records import Identity, Verdict, Verification, load, save
from pincite.errors import Cancelled, ConfigError, ItemsRefused, PinciteError, UnknownName
from pincite.indexing.cutting import count_roughly
from pincite.spec import Cancel, Context, Embedder, ModelFacts, Vectors
from pincite_plugins.embedders.endpoint import EndpointSettings
from pincite_plugins.embedders.endpoint.failures import Failure, Kind
from pincite_plugins.embedders.endpoint.keys import find_key
from pincite_plugins.embedders.endpoint.manners import Clock
from pincite_plugins.embedders.endpoint.server import Server
from pincite_plugins.embedders.endpoint.share import Job, divide, share
from pincite_plugins.embedders.endpoint.subject import Subject
from pincite_plugins.embedders.endpoint.urls import resolve
from pincite_plugins.embedders.endpoint.usage import Usage
from pincite_plugins.embedders.endpoint.verify import verify

EMPTY = "."
"""Sent for a text without a character where no local model can embed it: many servers refuse empty input."""
AGREES = 0.9
"""Least centred cosine of a text with its local vector where two texts were given the same one."""


class EndpointEmbedder:
    """An `Embedder` (pincite.spec) over one or several servers of one model.

    `ModelFacts.id` is the local model's: a server is only used while its vectors are that model's. With ``trust = "self-consistent"`` the
    id is that of the verified server's model.
    """

    def __init__(self, settings: EndpointSettings, context: Context, clock: Clock | None = None) -> None:
        self.home = context.home
        self._context = context
        self._clock = clock or Clock()
        self.settings = _with_prefixes(settings, context)
        self.same = settings.trust == "same"
        self._local: Embedder | None = None
        self._servers: list[Server] | None = None
        self.usage = Usage(context.home, settings.model, settings.price)
        self.counts = {"there": 0, "here": 0, "refused": 0}

    # ------------------------------------------------------------------------------------------ the protocol

    @property
    def facts(self) -> ModelFacts:
        """The local model's, or those of the verified server. Raises `PinciteError` where there is no verified one yet."""
        if self.same:
            return self.local.facts
        for server in self.servers:
            found = load(self.home, self.identity(server))
            if found is not None and found.ok:
                revision = f"endpoint.{found.revision}"
                name = self.settings.model
                return ModelFacts(
                    f"{name}@{revision}/{found.width}",
                    name,
                    found.width,
                    self.settings.window,
                    "approximate",
                    mean=found.centre,
                )
        raise PinciteError(
            f"endpoint {self.servers[0].address.shown}: not verified yet, so its width is not known; run `pincite endpoint verify`"
        )

    def count(self, texts: Sequence[str]) -> list[int]:
        """Token counts of the local model; by length where there is none."""
        if self.same:
            return self.local.count(texts)
        return [count if text else 0 for text, count in zip(texts, count_roughly(list(texts)), strict=True)]

    def embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"], cancelled: Cancel = lambda: False
    ) -> Vectors:
        """One unit vector a text. Queries are embedded here where there is a local model. Raises `ItemsRefused` for texts that
        nobody can embed, with the vectors of the others."""
        if not texts:
            return np.zeros((0, self.facts.width), np.float32)
        if self.same and kind == "query":
            return self.local.embed(texts, "query", cancelled)
        if cancelled():
            raise Cancelled("embedding cancelled")
        found = np.zeros((len(texts), self.facts.width), np.float32)
        counts = self.count(texts)
        places = list(range(len(texts)))
        if self.same:  # longer texts would be cut there, and empty ones refused
            places = [place for place in places if counts[place] <= self.facts.window and texts[place].strip()]
        done, refused = self._there(texts, counts, places, kind, found, cancelled)
        self.counts["there"] += len(done)
        rest = [place for place in range(len(texts)) if place not in done]
        if rest and self.same:
            found[rest] = self.local.embed([texts[place] for place in rest], kind, cancelled)
            self.counts["here"] += len(rest)
            self._tell_refused(refused)
        elif rest:
            self.counts["refused"] += len(rest)
            raise ItemsRefused({place: refused[place].seen for place in rest}, found)
        return found

    def close(self) -> None:
        """Closes connections and the local model; a later call begins anew."""
        for server in self._servers or ():
            server.close()
        if self._local is not None:
            self._local.close()

    def report(self) -> Mapping[str, Any]:
        """What `pincite status` shows: each endpoint with its last verdict, and what was used. Connects to nothing."""
        endpoints: list[dict[str, Any]] = []
        used = {"usage": self.usage.total(), "price": self.settings.price}
        try:
            servers = self.servers
        except PinciteError as error:  # a missing address or key is said, and the rest of the status with it
            return {"endpoints": [], "error": str(error), **used}
        for server in servers:
            known = load(self.home, self.identity(server))
            endpoints.append(
                {
                    "url": server.address.shown,
                    "format": server.address.format,
                    "verdict": str(known.verdict) if known else "not verified",
                    "verified": known.at if known else None,
                    "left_out": server.left_out or None,
                }
            )
        return {"endpoints": endpoints, **used}

    # ------------------------------------------------------------------------------------------ the parts

    @property
    def local(self) -> Embedder:
        """The local embedder of the same model."""
        if self._local is None:
            if self._context.make is None:
                raise PinciteError(
                    "the endpoint embedder was made without a way to reach other plugins; open a library with pincite.open"
                )
            own = dict(self.settings.local)
            use = str(own.pop("use", "onnx"))
            if use == "endpoint":
                raise ConfigError(
                    "[embedder.local] use: an endpoint cannot be the local model of an endpoint; use onnx"
                )
            self._local = self._context.make("embedder", use, {"model": self.settings.model, **own})
        return self._local

    @property
    def servers(self) -> list[Server]:
        """The configured servers. Connects to nothing."""
        if self._servers is None:
            settings = self.settings
            if not settings.url:
                raise ConfigError(
                    '[embedder] url: missing; give the server\'s address, such as url = "http://127.0.0.1:8080"'
                )
            found: dict[str, Server] = {}
            for url in settings.url:
                address = resolve(url, settings.format)
                key = find_key(address, settings.key_env, settings.keyring, settings.allow_plain_http)
                found.setdefault(
                    address.url, Server(address, settings, self.usage, self._context.note, key, self._clock)
                )
            self._servers = list(found.values())
        return self._servers

    def identity(self, server: Server) -> Identity:
        """What a verification of a server is kept under."""
        settings = self.settings
        model = self.local.facts.id if self.same else settings.model
        return Identity(
            server.address.shown,
            server.address.format,
            model,
            settings.server_model,
            settings.prefix,
            settings.dimensions,
        )

    def verify(self, server: Server, cancelled: Cancel = lambda: False) -> Verification:
        """Verifies a server now and keeps the verdict."""
        identity = self.identity(server)
        subject = Subject(
            server,
            identity,
            self.count,
            self.local.facts.window if self.same else self.settings.window,
            self.local if self.same else None,
            self.local.facts if self.same else None,
            load(self.home, identity),
            cancelled,
        )
        found = verify(subject)
        if found.ok or self.same or subject.before is None or not subject.before.ok:
            save(self.home, found)  # what names the vectors of an index is not lost to a passing fault
        server.record = found if found.ok else None
        return found

    # ------------------------------------------------------------------------------------------ steps

    def _ready(self, server: Server, cancelled: Cancel) -> bool:
        """Whether a server may be given passages; verified now where no good verdict is known."""
        if not server.live:
            return False
        if server.record is None:
            known = load(self.home, self.identity(server)) if not server.failures or not self.same else None
            if known is not None and known.ok:
                server.record = known
            elif not self.same:
                raise PinciteError(f"endpoint {server.address.shown}: not verified; run `pincite endpoint verify`")
            else:
                self._verify_now(server, cancelled)
        return server.record is not None

    def _verify_now(self, server: Server, cancelled: Cancel) -> None:
        found = self.verify(server, cancelled)
        if found.ok:
            return
        lasting = {Verdict.UNAUTHORIZED: Kind.AUTHORISATION, Verdict.UNREACHABLE: Kind.NETWORK}
        server.failed(Failure(lasting.get(found.verdict, Kind.MISMATCH), f"verification says {found.line}"))

    def _there(
        self,
        texts: Sequence[str],
        counts: Sequence[int],
        places: list[int],
        kind: str,
        found: Vectors,
        cancelled: Cancel,
    ) -> tuple[set[int], dict[int, Failure]]:
        """Fills rows of `found` from the servers; the places filled, and those refused."""
        query = kind == "query"
        prefix = self._prefix(query)
        sent = [prefix + (text if text.strip() else EMPTY) for text in texts]
        ready = [server for server in self.servers if self._ready(server, cancelled)]
        jobs = divide(texts, counts, places, self.settings, max(1, len(ready)))
        result = share(jobs, sent, counts, ready, query, self._check_twins(texts, kind, cancelled), cancelled)
        for server in ready:
            if server.failures and server.record is not None and self.same and server.last is Kind.MISMATCH:
                server.record = None  # it must show again what it is
        done = {place for job, _ in result.done for place in job.places} - result.refused.keys()
        for job, rows in result.done:
            found[list(job.places)] = rows
        if len(done) + len(result.refused) < len(places):
            self._not_all(result.last or self._why_none())
        return done, result.refused

    def _prefix(self, query: bool) -> str:
        settings = self.settings
        return "" if settings.prefix == "server" else settings.query_prefix if query else settings.passage_prefix

    def _why_none(self) -> str:
        return "; ".join(
            f"{server.address.shown}: {server.left_out or server.seen or 'put aside for a while'}"
            for server in self.servers
        )

    def _not_all(self, why: str) -> None:
        """Some passages were not embedded there: goes on here, or stops."""
        if not self.same or self.settings.otherwise == "stop":
            raise PinciteError(f"endpoint: {why}; what was embedded is kept: run `pincite index` again to go on")

    def _check_twins(
        self, texts: Sequence[str], kind: str, cancelled: Cancel
    ) -> Callable[[Server, Job, Vectors], None]:
        """A check of rows that are one and the same for different texts: rows that a server doubled or moved."""

        def check(server: Server, job: Job, rows: Vectors) -> None:
            pairs = [(a, b) for a, b in twins(rows) if texts[job.places[a]] != texts[job.places[b]] and rows[a].any()]
            if not pairs:
                return
            if len(pairs) > len(rows) // 2:
                raise Failure(Kind.REPLY, f"{len(pairs)} of {len(rows)} different texts have the vector of another")
            doubtful = sorted({place for pair in pairs for place in pair})
            assert server.record is not None
            assert server.record.centre is not None
            again = [texts[job.places[place]] for place in doubtful]
            if self.same:
                right = self.local.embed(again, "passage")
            else:
                prefix = self._prefix(kind == "query")
                right = np.concatenate(
                    [server.embed([prefix + text], [32], cancelled, kind == "query")[0] for text in again]
                )
            if centred(right, rows[doubtful], server.record.centre).min() >= AGREES:
                return
            raise Failure(Kind.MISMATCH, f"{len(doubtful)} different texts share vectors: rows were doubled or moved")

        return check

    def _tell_refused(self, refused: Mapping[int, Failure]) -> None:
        self.counts["refused"] += len(refused)
        for failure in list(refused.values())[:1]:
            more = f" and {len(refused) - 1} others" if len(refused) > 1 else ""
            self._context.note(f"endpoint: a text{more} was refused ({failure.seen}) and is embedded here")


def _with_prefixes(settings: EndpointSettings, context: Context) -> EndpointSettings:
    """The settings with the prefixes of the model's card, where it has one and none are set."""
    from pincite.models.shelf import find_card

    try:
        card = find_card(settings.model, context.home)
    except UnknownName:
        return settings
    return settings.model_copy(
        update={
            "passage_prefix": settings.passage_prefix or card.passage_prefix,
            "query_prefix": settings.query_prefix or card.query_prefix,
        }
    )
