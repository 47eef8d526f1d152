"""Servers need their extras: `pip install 'pincite[test]'` has them."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("mcp") else ["mcp"]
