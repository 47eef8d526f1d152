"""Source `zotero-api`: a Zotero library over the web API, or over the local API of the desktop.

API: https://www.zotero.org/support/dev/web_api/v3/basics. (pyzotero wants bibtexparser 1, pincite reads with 2: the two cannot be installed
together, and of the API two lists are needed.)
"""

from __future__ import annotations

from typing import Any

from pincite.errors import UsageError
from pincite.spec import Context, Register, hookimpl

PINCITE_CONTRACT = 1
SUFFIX = ".zotero-api"


def make(settings: None, context: Context) -> Any:
    """The source for `context.library`."""
    from pincite_zotero_api.source import ZoteroApi

    if context.library is None:
        raise UsageError(f"source zotero-api: no library is given; give a {SUFFIX} file")
    return ZoteroApi(context.library)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `zotero-api`."""
    register("zotero-api", make, recognises=lambda path: 1.0 if path.suffix == SUFFIX and path.is_file() else 0.0)
