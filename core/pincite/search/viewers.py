"""Opening a place in a viewer of the desktop."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pincite.errors import PinciteError, UsageError

PAGED: Mapping[str, tuple[str, ...]] = {
    "okular": ("okular", "--page", "{page}", "{path}"),
    "evince": ("evince", "--page-index={page}", "{path}"),
    "papers": ("papers", "--page-index={page}", "{path}"),
    "atril": ("atril", "--page-index={page}", "{path}"),
    "xreader": ("xreader", "--page-index={page}", "{path}"),
    "zathura": ("zathura", "--page={page}", "{path}"),
    "qpdfview": ("qpdfview", "{path}#{page}"),
    "sioyek": ("sioyek", "--page", "{page}", "{path}"),
    "mupdf": ("mupdf", "{path}", "{page}"),
    "xpdf": ("xpdf", "{path}", "{page}"),
    "SumatraPDF": ("SumatraPDF", "-page", "{page}", "{path}"),
}
"""Viewers that open a PDF at a page from the command line, by their own manuals; the first that is installed is taken."""

_PLACE = re.compile(r"\{(\w+)\}")


def command(
    link: str, path: str, page: int | None, viewer: str = "", find: Callable[[str], str | None] = shutil.which
) -> list[str]:
    """What to run. `viewer`: the person's own, a command line with {path}, {page} and {link}. A ``zotero:`` link and anything that is
    no PDF go to the desktop's opener; a browser takes ``#page=``. Raises `UsageError` where nothing opens it."""
    if not path and link.startswith("file:"):  # the work's own text, whose link is to its file
        path = url2pathname(urlsplit(link).path)
    if viewer and (path or (link and "{path}" not in viewer)):
        try:
            parts = shlex.split(viewer)
        except ValueError as error:
            raise UsageError(f"the configured viewer '{viewer}' is no command line: {error}") from None
        known = {"path": path, "page": str(page or 1), "link": link}
        if unknown := [name for part in parts for name in _PLACE.findall(part) if name not in known]:
            raise UsageError(
                f"the configured viewer '{viewer}' has {{{unknown[0]}}}; there is {{path}}, {{page}} and {{link}}"
            )
        filled = [_PLACE.sub(lambda found: known[found[1]], part) for part in parts]
        return filled if filled != parts else [*filled, link or path]
    if link.startswith(("zotero:", "http:", "https:")):
        return _opener(link, find)
    if not path:
        raise UsageError("this passage has no file to open (a note, or an item's own text); `pincite show` prints it")
    if page and path.lower().endswith(".pdf"):
        for arguments in PAGED.values():
            if find(arguments[0]):
                return [part.format(path=path, page=page) for part in arguments]
        for browser in ("xdg-open", "open"):
            if find(browser):
                return [browser, link]
    return _opener(path, find)


def launch(arguments: Sequence[str]) -> None:
    """Starts it and does not wait. Raises `PinciteError` where it does not start."""
    try:
        if sys.platform == "win32" and arguments[0] == "start":
            import os

            os.startfile(arguments[1])
            return
        subprocess.Popen(
            list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise PinciteError(f"{arguments[0]}: {error.strerror or error}; set `viewer` in the configuration") from None


def _opener(what: str, find: Callable[[str], str | None]) -> list[str]:
    if sys.platform == "win32":
        return ["start", what]
    for opener in ("open",) if sys.platform == "darwin" else ("xdg-open", "gio", "wslview"):
        if find(opener):
            return [opener, "open", what] if opener == "gio" else [opener, what]
    raise UsageError(f"no program is installed that opens {what}; set `viewer` in the configuration")
