"""Reading pictures of pages by Tesseract, which PyMuPDF has built in: the installed languages are all that it needs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_FOLDER = re.compile(r'in "(.+)"')


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pages. `tessdata` holds the languages, of which `languages` are read, at `dpi` dots an inch."""

    tessdata: Path
    languages: tuple[str, ...]
    dpi: int

    def textpage(self, page: Any, flags: int) -> Any:
        """The text of a page's picture as a `pymupdf.TextPage`, in the frame of `Page.get_text`. Raises whatever PyMuPDF does."""
        language = "+".join(self.languages)
        return page.get_textpage_ocr(
            flags=flags, language=language, dpi=self.dpi, full=True, tessdata=str(self.tessdata)
        )


def reader_of(languages: Sequence[str], dpi: int) -> tuple[Reader | None, str]:
    """The reader, or None and why there is none, in one line for the person."""
    folder = tessdata()
    if folder is None:
        return None, (
            "pages without text are not read: [extractor.pdf] ocr is on, but Tesseract is not installed; "
            "install it (or set TESSDATA_PREFIX to its languages), or set ocr = false"
        )
    lacking = [name for name in languages if not (folder / f"{name}.traineddata").is_file()]
    if lacking:
        there = ", ".join(sorted(path.stem for path in folder.glob("*.traineddata"))) or "none"
        return None, (
            f"pages without text are not read: Tesseract has no '{lacking[0]}' in {folder} ({there}); "
            "install it, or set [extractor.pdf] ocr_languages"
        )
    return Reader(folder, tuple(languages), dpi), ""


def tessdata() -> Path | None:
    """The folder of Tesseract's languages: TESSDATA_PREFIX, else where the installed program says that they are; None without one."""
    given = os.environ.get("TESSDATA_PREFIX")
    if given:
        folder = Path(given)
        return folder if folder.is_dir() else None
    return _installed(os.environ.get("PATH", ""))


@lru_cache(maxsize=4)
def _installed(path: str) -> Path | None:
    try:
        done = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    found = _FOLDER.search(done.stdout) or _FOLDER.search(done.stderr)
    return Path(found[1]) if found and Path(found[1]).is_dir() else None
