"""The picker `static` keeps the contract (specs/01-contract.md)."""

import pytest

from pincite.testing import PickerKit


@pytest.mark.model
class TestStatic(PickerKit):
    name = "static"
