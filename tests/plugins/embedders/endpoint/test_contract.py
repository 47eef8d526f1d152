"""The embedder `endpoint` keeps the contract (specs/01-contract.md), with a server and where its server is gone."""

import pytest

import hash_model
from pincite.spec import Context
from pincite.testing import EmbedderKit


class Endpoint(EmbedderKit):
    name = "endpoint"

    @pytest.fixture(autouse=True)
    def _with_server(self, server):
        self.settings = {"url": server.url, "model": "hash", "local": {"use": "hash"}, "passage_prefix": "passage: "}

    def fresh(self, folder):
        return self.made(Context(home=folder, make=hash_model.make))


class TestEndpoint(Endpoint):
    pass


class TestEndpointWithoutItsServer(Endpoint):
    @pytest.fixture(autouse=True)
    def _without_server(self, _with_server):
        self.settings = {**self.settings, "url": "http://127.0.0.1:9", "retries": 0}


class TestEndpointTrustedByItself(EmbedderKit):
    name = "endpoint"

    @pytest.fixture(autouse=True)
    def _with_server(self, server):
        self.settings = {"url": server.url, "model": "hosted", "trust": "self-consistent", "window": 400}

    def fresh(self, folder):
        made = self.made(Context(home=folder))
        made.verify(made.servers[0])
        return made
