"""Servers over a library."""
