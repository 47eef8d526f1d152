"""The ranker `vector` keeps the contract (specs/01-contract.md)."""

from pincite.testing import RankerKit


class TestVector(RankerKit):
    name = "vector"
