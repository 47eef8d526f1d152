"""Readers of libraries."""
