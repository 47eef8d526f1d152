"""The fuser `convex` keeps the contract (specs/01-contract.md)."""

from pincite.testing import FuserKit


class TestConvexFusion(FuserKit):
    name = "convex"
