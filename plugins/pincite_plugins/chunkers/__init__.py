"""Cutters: pack → chunks."""
