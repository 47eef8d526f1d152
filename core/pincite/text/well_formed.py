"""Texts that can be encoded: some files hold lone halves of surrogate pairs, which have no UTF-8."""

from __future__ import annotations


def well_formed(text: str) -> str:
    """A text with a question mark for each lone surrogate."""
    return text.encode("utf-8", "replace").decode("utf-8")
