"""The contract kit of providers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from pincite.plugin.checks import wrong_vectors
from pincite.testing.kit import Kit
from pincite.values.library import Attachment


class ProviderKit(Kit):
    """Subclass it and name the provider.

    `model`: a model id that it has vectors of; `has`: an attachment that it has them for. Without them only refusals are tested.
    """

    kind = "provider"
    model: ClassVar[str] = ""
    has: ClassVar[Attachment | None] = None

    @pytest.fixture
    def provider(self, folder: Path) -> Any:
        """The provider under test."""
        return self.made(self.context(folder))

    def test_has_the_name_that_it_is_registered_by(self, provider: Any) -> None:
        self.must(provider.name == self.name, f"calls itself {provider.name!r}")

    def test_what_it_does_not_know_is_declined_or_missing(self, provider: Any) -> None:
        unknown = Attachment("no-such-attachment", path="/nowhere/at-all.pdf")
        found = provider.fetch(self.model or "no-such-model@1/8", [unknown])
        self.must(found.get(unknown.id) is None, "has vectors for an attachment that there is not")
        self.must(not provider.fetch(self.model or "no-such-model@1/8", []), "gives something for no attachments")

    def test_gives_only_what_was_asked_for_and_unit_vectors(self, provider: Any) -> None:
        if self.has is None:
            return
        found = provider.fetch(self.model, [self.has])
        self.must(set(found) <= {self.has.id}, "gives vectors of attachments that were not asked for")
        rows = found.get(self.has.id)
        self.must(rows, "has no vectors for the attachment that it is said to have them for")
        for _, vectors in rows:
            wrong = wrong_vectors(vectors, len(vectors))
            self.must(not wrong, f"gives {wrong}")
        self.must(
            not provider.fetch("another-model@1/8", [self.has]).get(self.has.id),
            "gives vectors of another model than was asked for",
        )
