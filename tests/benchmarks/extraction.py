"""How fast are PDF files read into packs, structure included?

    python tests/benchmarks/extraction.py FOLDER [FOLDER …] [--workers N]

Compares pages a second of the extractor in N worker processes with those of a bare ``page.get_text("dict")`` loop in one
process, over the same files, in turn, three times; prints the best of each, and last the ratio.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pymupdf

from pincite.errors import Unreadable
from pincite_plugins.extractors.pdf import Settings
from pincite_plugins.extractors.pdf.extractor import PdfExtractor


def bare(path: Path) -> int:
    """Pages read by the bare loop."""
    try:
        with pymupdf.open(path) as document:
            for page in document:
                page.get_text("dict")
            return len(document)
    except Exception:
        return 0


def pages(path: Path) -> int:
    """Pages read into a pack."""
    try:
        return len(PdfExtractor(Settings()).extract(path).pages)
    except Unreadable:
        return 0


def main() -> int:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    paths = sorted((p for folder in options.folders for p in folder.rglob("*.pdf")), key=lambda p: -p.stat().st_size)
    if not paths:
        parser.error("no PDF files there")
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    loop = packs = 0.0
    with ProcessPoolExecutor(options.workers) as pool:
        list(pool.map(pages, paths[-options.workers :]))
        for _ in range(3):
            start = time.perf_counter()
            total = sum(map(bare, paths))
            loop = max(loop, total / (time.perf_counter() - start))
            start = time.perf_counter()
            total = sum(pool.map(pages, paths))
            packs = max(packs, total / (time.perf_counter() - start))
    print(f"bare loop, one process: {loop:.1f} pages/s")
    print(f"packs, {options.workers} workers: {packs:.1f} pages/s")
    print(f"ratio: {packs / loop:.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
