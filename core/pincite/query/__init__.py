"""From what a person typed to a `Query`: words, phrases, field words, exclusions, identifiers. specs/06-query.md."""

from pincite.query.parse import parse

__all__ = ["parse"]
