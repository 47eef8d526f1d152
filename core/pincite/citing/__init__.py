"""Citing the place: locators and citations in several formats (specs/24-citing.md)."""
