"""The ranker `fts5` keeps the contract (specs/01-contract.md)."""

from pincite.testing import RankerKit


class TestFts5(RankerKit):
    name = "fts5"
