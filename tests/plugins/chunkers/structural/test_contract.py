"""The chunker `structural` keeps the contract (specs/01-contract.md)."""

from pincite.testing import ChunkerKit


class TestStructural(ChunkerKit):
    name = "structural"
