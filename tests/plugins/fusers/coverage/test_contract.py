"""The fuser `coverage` keeps the contract (specs/01-contract.md)."""

from pincite.testing import FuserKit


class TestCoverageFusion(FuserKit):
    name = "coverage"
