"""One server: requests with manners, and batches that carry their sentinels."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from pincite.endpoints.agreement import SAME, centred, unit
from pincite.endpoints.records import Verification
from pincite.endpoints.texts import SENTINELS
from pincite.errors import Cancelled
from pincite.spec import Cancel, Vectors
from pincite_plugins.embedders.endpoint import EndpointSettings
from pincite_plugins.embedders.endpoint.failures import PASSING, Failure, Kind, classify, one_line
from pincite_plugins.embedders.endpoint.formats import CAPS, Answer, Ask, body, parse, said
from pincite_plugins.embedders.endpoint.keys import Key
from pincite_plugins.embedders.endpoint.manners import LONGEST_WAIT, Clock, Window, backoff, retry_after
from pincite_plugins.embedders.endpoint.transport import Reply, Transport
from pincite_plugins.embedders.endpoint.urls import Address
from pincite_plugins.embedders.endpoint.usage import Usage

ENOUGH = 32
"""Texts in one request where nothing else is said: what the embedding pass hands over at once."""
FAILURES = 3
"""Failures in a row after which a server is left out for the rest of the run."""
WIDEST = 16384
NUMBER = 32
"""Bytes that one number of a vector can take in JSON."""
SPACE = 65536
"""Bytes of a reply besides its numbers."""


@dataclass
class Server:
    """A server under its manners. Not for several threads at once, but for `stop`.

    `failures`: in a row; `last`, `seen`: the kind and the words of the last one. `left_out`: why it is not asked any more in this
    run. `until`: when it may be asked again (clock's time). `most`: texts in one request, as learnt.
    """

    address: Address
    settings: EndpointSettings
    usage: Usage
    note: Callable[[str], None]
    key: Key = field(default_factory=Key, repr=False)
    clock: Clock = field(default_factory=Clock)
    record: Verification | None = None
    failures: int = 0
    last: Kind | None = None
    seen: str = ""
    left_out: str = ""
    until: float = 0.0

    def __post_init__(self) -> None:
        settings, own = self.settings, self.address.loopback
        self.transport = Transport(self.address, self.key, settings.timeout)
        self.most = min(settings.batch or ENOUGH, CAPS[self.address.format] - len(SENTINELS))
        requests, tokens = settings.requests_per_minute, settings.tokens_per_minute
        self._requests = Window((0 if own else 60) if requests is None else requests, "requests")
        self._tokens = Window((0 if own else 150_000) if tokens is None else tokens, "tokens")
        self._batches = random.Random(self.address.url)
        self._alone = False

    @property
    def live(self) -> bool:
        """Whether it may be asked now."""
        return not self.left_out and self.clock.now() >= self.until

    # ------------------------------------------------------------------------------------------ one request

    def ask(
        self, texts: Sequence[str], tokens: int, cancelled: Cancel, *, query: bool = False, tries: int | None = None
    ) -> Answer:
        """Vectors as the server gives them, after bounded tries. `tokens`: about how many the texts have. Raises `Failure`, `Cancelled`."""
        settings, address = self.settings, self.address
        model = (query and settings.server_query_model) or settings.server_model or settings.model
        data = body(Ask(address.format, model, settings.encoding, settings.dimensions), texts)
        limit = len(texts) * WIDEST * NUMBER + SPACE
        if self.record is not None and self.record.width:
            limit = len(texts) * self.record.width * NUMBER + SPACE
        most = settings.retries if tries is None else tries
        for attempt in range(most + 1):
            if cancelled():
                raise Cancelled("stopped; run it again to go on")
            try:
                self._wait(tokens, cancelled)
                reply = self.transport.post(address.url, data, limit)
                answer = self._answer(reply, len(texts))
            except Failure as failure:
                if failure.kind not in PASSING or failure.slow or attempt == most:
                    raise
                pause = backoff(attempt, self.clock.random()) if failure.after is None else failure.after
                if pause > LONGEST_WAIT:
                    raise
                self.clock.pause(pause, cancelled)
                continue
            self.usage.count(len(texts), answer.tokens or tokens)
            return answer
        raise AssertionError("unreachable")

    def _wait(self, tokens: int, cancelled: Cancel) -> None:
        now = self.clock.now()
        pause = max(self._requests.wait(1, now), self._tokens.wait(tokens, now))
        if pause:
            self.clock.pause(pause, cancelled)
        for window, amount in ((self._requests, 1), (self._tokens, tokens)):
            warning = window.spend(amount, self.clock.now())
            if warning:
                self.note(f"endpoint {self.address.host}: {warning}")

    def _answer(self, reply: Reply, count: int) -> Answer:
        if reply.status == 200:
            try:
                return parse(self.address.format, reply.body, count)
            except Failure as failure:
                raise Failure(failure.kind, self.key.without(failure.seen), status=200) from None
        text = reply.body[:4096].decode("utf-8", "replace")
        if reply.body[:1] in (b"{", b"["):
            with suppress(ValueError):
                text = said(json.loads(reply.body))
        kind = classify(reply.status, text)
        seen = f"HTTP {reply.status}" + (f", {one_line(self.key.without(text))}" if text.strip() else "")
        if 300 <= reply.status < 400:
            seen = f"HTTP {reply.status}, it sends on to {one_line(self.key.without(reply.headers.get('location', 'nowhere')))}"
        after = retry_after(reply.headers.get("retry-after"), self.clock.wall())
        raise Failure(kind, seen, status=reply.status, after=after)

    # ------------------------------------------------------------------------------------------ a batch

    def embed(
        self, texts: Sequence[str], tokens: Sequence[int], cancelled: Cancel, query: bool = False
    ) -> tuple[Vectors, dict[int, Failure]]:
        """Unit vectors (n, width) of texts that carry their prefix, and the places of those that the server refused, whose rows are
        zero. A batch that is too large is halved. Raises `Failure` where the server as a whole failed."""
        assert self.record is not None
        found = np.zeros((len(texts), self.record.width), np.float32)
        refused: dict[int, Failure] = {}
        largest, too_large = 0, False
        parts = [range(at, min(at + self.most, len(texts))) for at in range(0, len(texts), self.most)][::-1]
        while parts:
            part = parts.pop()
            if len(part) > self.most:
                parts += [part[self.most :], part[: self.most]]
                continue
            try:
                found[part.start : part.stop] = self._guarded(
                    [texts[place] for place in part], sum(tokens[place] for place in part), cancelled, query
                )
                largest = max(largest, len(part))
            except Failure as failure:
                if failure.slow:
                    self.most = max(1, len(part) // 2)  # the next try is smaller; this one has cost time enough
                if failure.kind not in (Kind.SIZE, Kind.ITEM):
                    raise
                if len(part) > 1:
                    half = (len(part) + 1) // 2
                    too_large = too_large or failure.kind is Kind.SIZE
                    parts += [part[half:], part[:half]]
                else:
                    refused[part.start] = self._blame(failure, cancelled, query)
        if too_large and not refused and not self._alone:
            self.most = largest  # it was their number or sum that was too much, not one of them
        return found, refused

    def _blame(self, failure: Failure, cancelled: Cancel, query: bool) -> Failure:
        """A refusal is a text's own only if the server still takes the sentinels. Raises `Failure` (CONFIGURATION) otherwise."""
        try:
            self.ask(SENTINELS[:1], 32, cancelled, query=query)
        except Failure as other:
            if other.kind in (Kind.SIZE, Kind.ITEM):
                raise Failure(Kind.CONFIGURATION, other.seen, status=other.status) from None
            raise
        return failure

    def _guarded(self, texts: list[str], tokens: int, cancelled: Cancel, query: bool) -> Vectors:
        """A batch with its sentinels at places that change, so that rows moved are noticed. Raises `Failure` (MISMATCH)."""
        prefixes = self.settings.query_prefix if query else self.settings.passage_prefix
        guards = [prefixes + text for text in SENTINELS] if self.settings.prefix == "client" else list(SENTINELS)
        if self._alone:
            return self._one_by_one(texts, guards, tokens, cancelled, query)
        size = len(texts) + 2
        first, second = self._batches.randrange(0, size // 2), self._batches.randrange(size // 2, size)
        sent = list(texts)
        sent.insert(first, guards[0])
        sent.insert(second, guards[1])
        try:
            answer = self.ask(sent, tokens + 64, cancelled, query=query)
        except Failure as failure:
            if failure.kind is not Kind.SIZE or len(texts) > 1:
                raise
            return self._one_by_one(texts, guards, tokens, cancelled, query)
        rows = self._of_width(answer)
        self._compare(rows[[first, second]], answer.model, query)
        return np.delete(rows, [first, second], axis=0)

    def _one_by_one(self, texts: list[str], guards: list[str], tokens: int, cancelled: Cancel, query: bool) -> Vectors:
        """For a server that takes one text a request."""
        seen = [self.ask([guard], 32, cancelled, query=query) for guard in guards]
        self._compare(np.concatenate([self._of_width(answer) for answer in seen]), seen[0].model, query)
        rows = [self._of_width(self.ask([text], tokens // len(texts) + 1, cancelled, query=query)) for text in texts]
        self._alone = True
        self.most = 8
        return np.concatenate(rows)

    def _of_width(self, answer: Answer) -> Vectors:
        assert self.record is not None
        if answer.rows.shape[1] != self.record.width:
            raise Failure(
                Kind.MISMATCH,
                f"vectors are {answer.rows.shape[1]} numbers wide and were {self.record.width} when it was verified"
                + self._renamed(answer.model),
            )
        return unit(answer.rows)

    def _compare(self, rows: Vectors, model: str, query: bool) -> None:
        record = self.record
        assert record is not None
        assert record.centre is not None
        assert record.sentinels is not None
        wanted = record.sentinels[2:] if query else record.sentinels[:2]
        if len(wanted) != 2:
            raise Failure(Kind.CONFIGURATION, "it was verified for passages only; verify it again")
        lowest = float(centred(wanted, rows, record.centre).min())
        if lowest < SAME:
            raise Failure(
                Kind.MISMATCH,
                f"a sentinel's vector agrees by {lowest:.3f} with the one at verification ({SAME} is wanted): model, pooling, prefix or"
                f" the order of rows has changed{self._renamed(model)}",
            )

    def _renamed(self, model: str) -> str:
        was = self.record.says if self.record is not None else ""
        return f"; the server now names its model {model} (was {was})" if model and was and model != was else ""

    # ------------------------------------------------------------------------------------------ its standing

    def succeeded(self) -> None:
        """A batch was good."""
        self.failures, self.last = 0, None

    def failed(self, failure: Failure) -> None:
        """Counts a failure; three in a row, or one that lasts, leave the server out."""
        self.failures += 1
        self.last, self.seen = failure.kind, failure.seen
        where = self.address.shown
        if failure.kind in (Kind.AUTHORISATION, Kind.CONFIGURATION):
            self.left_out = f"{failure.seen}; {remedy(failure.kind)}"
        elif self.failures >= FAILURES:
            self.left_out = f"{FAILURES} failures in a row, the last: {failure.seen}; {remedy(failure.kind)}"
        else:
            if failure.kind is Kind.RATE and failure.after:
                self.until = self.clock.now() + failure.after
            if self.failures == 1:
                self.note(f"endpoint {where}: {failure.kind}: {failure.seen}; the batch is thrown away")
        if self.left_out:
            self.note(f"endpoint {where} is left out for the rest of this run: {self.left_out}")

    def close(self) -> None:
        """Closes the connections and forgives: the next run asks anew."""
        self.transport.close()
        self.usage.flush()
        self.failures, self.last, self.left_out, self.until, self.record = 0, None, "", 0.0, None


def remedy(kind: Kind) -> str:
    """What to do about a failure."""
    return {
        Kind.NETWORK: "start the server, or correct [embedder] url",
        Kind.AUTHORISATION: "give the right key: name its variable with [embedder] key_env",
        Kind.CONFIGURATION: "correct [embedder] url, format or server_model",
        Kind.RATE: "lower [embedder] requests_per_minute or tokens_per_minute",
        Kind.SERVER: "look into the server's own log",
        Kind.SIZE: "give the server a larger context and batch (pincite endpoint facts)",
        Kind.REPLY: "start it as an embeddings server (pincite endpoint facts)",
        Kind.MISMATCH: "serve the model of `pincite endpoint facts`, then run `pincite endpoint verify`",
        Kind.ITEM: "the text is embedded otherwise",
    }[kind]
