"""The tools, in the order in which assistants see them."""

from __future__ import annotations

from pincite_plugins.services.mcp.tool import Tool
from pincite_plugins.services.mcp.tools import cite, find, fulltext, locate, read, similar, status

TOOLS: tuple[Tool, ...] = (
    find.BEST_MATCH,
    find.SEMANTIC_SEARCH,
    similar.FIND_SIMILAR,
    status.SEMANTIC_STATUS,
    fulltext.FULLTEXT_DATABASE,
    read.GET_PASSAGE,
    read.GET_OUTLINE,
    locate.LOCATE_QUOTE,
    cite.CITE,
)
