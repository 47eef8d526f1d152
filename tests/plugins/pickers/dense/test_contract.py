"""The picker `dense` keeps the contract (specs/01-contract.md)."""

import pytest

from pincite.testing import PickerKit


@pytest.mark.model
class TestDense(PickerKit):
    name = "dense"
