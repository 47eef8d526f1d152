"""The fuser `rrf` keeps the contract (specs/01-contract.md)."""

from pincite.testing import FuserKit


class TestReciprocalRankFusion(FuserKit):
    name = "rrf"
