"""An endpoint embedder over the hash model and the small server, with a clock that does not wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import hash_model
from embedding_server import EmbeddingServer
from gguf_model import write_gguf
from pincite.spec import Context
from pincite_plugins.embedders.endpoint import EndpointSettings
from pincite_plugins.embedders.endpoint.embedder import EndpointEmbedder
from pincite_plugins.embedders.endpoint.manners import Clock


@dataclass
class Time:
    """A clock that stands still but for the waits, which it adds up."""

    at: float = 1000.0
    waits: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.at += seconds
        self.waits.append(seconds)

    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, wall=lambda: 1_000_000.0 + self.at, sleep=self.sleep, random=lambda: 0.5)


@dataclass
class Bench:
    """Makes embedders; keeps what they said and how long they would have waited."""

    home: Path
    notes: list[str] = field(default_factory=list)
    time: Time = field(default_factory=Time)
    made: list[Any] = field(default_factory=list)

    def embedder(self, *servers: EmbeddingServer | str, **settings: Any) -> EndpointEmbedder:
        urls = [one if isinstance(one, str) else one.url for one in servers]
        given = {
            "url": urls, "model": "hash", "local": {"use": "hash"}, "passage_prefix": "passage: ", "query_prefix": "query: ",
            "timeout": 60.0, **settings,
        }  # fmt: skip
        context = Context(home=self.home, make=hash_model.make, note=self.notes.append)
        self.made.append(EndpointEmbedder(EndpointSettings(**given), context, self.time.clock()))
        return self.made[-1]


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path / "home")
    yield made
    for embedder in made.made:
        embedder.close()


@pytest.fixture
def server():
    with EmbeddingServer(hash_model.vectors) as running:
        yield running


@pytest.fixture(scope="session")
def gguf(shared_tmp):
    """Weights and number of layers (0: all) → file, written once a run."""

    def path(weights, layers=0):
        file = shared_tmp / f"e5-{weights}-{layers}.gguf"
        if not file.exists():
            beside = file.with_suffix(".writing")
            write_gguf(beside, weights, layers=layers)
            beside.rename(file)
        return file

    return path
