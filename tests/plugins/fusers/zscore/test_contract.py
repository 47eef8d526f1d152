"""The fuser `zscore` keeps the contract (specs/01-contract.md)."""

from pincite.testing import FuserKit


class TestStandingFusion(FuserKit):
    name = "zscore"
