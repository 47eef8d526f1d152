"""The contract kit of stores."""

from __future__ import annotations

from pincite.testing.store.changes import ChangeTests
from pincite.testing.store.files import FileTests
from pincite.testing.store.filters import FilterTests
from pincite.testing.store.lasting import LastingTests
from pincite.testing.store.records import RecordTests
from pincite.testing.store.vectors import VectorTests


class StoreKit(RecordTests, ChangeTests, FilterTests, VectorTests, FileTests, LastingTests):
    """Subclass it and name the store; nothing else is needed."""
