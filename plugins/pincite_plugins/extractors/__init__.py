"""Readers of files: file → pack."""
