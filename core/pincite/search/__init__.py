"""Searching: rank, cut, lift, fuse, and show."""
