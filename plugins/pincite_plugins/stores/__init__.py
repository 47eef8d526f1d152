"""Keepers of the truth."""
