"""The store `sqlite` keeps the contract (specs/01-contract.md)."""

from pincite.testing import StoreKit


class TestSqlite(StoreKit):
    name = "sqlite"
