"""Bibliographic metadata as pure functions: dates, identifiers, names, markup, BibTeX. Shared by the sources."""
