"""The picker `lexical` keeps the contract (specs/01-contract.md)."""

from pincite.testing import PickerKit


class TestLexical(PickerKit):
    name = "lexical"
