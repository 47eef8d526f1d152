"""The reranker `mmr` keeps the contract (specs/01-contract.md)."""

from pincite.testing import RerankerKit


class TestMarginalRelevance(RerankerKit):
    name = "mmr"
    alone = False
