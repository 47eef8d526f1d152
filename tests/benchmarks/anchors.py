"""Do anchors point at their text, and is no text lost? Over every readable PDF of the folders given.

    python tests/benchmarks/anchors.py FOLDER [FOLDER …] [--worst N] [--workers N] [--no-coverage]

For each chunk of the structural chunker, the characters whose centre lies in one of the anchor's rectangles are read afresh
from the page (PyMuPDF "rawdict") and compared with the chunk's text as multisets, folded as the normaliser folds (NFKD without
marks, lower case) and without white space, hyphens and control characters: F1. So that nothing is won by dropping text, the
letters that an independent extractor (pypdf) sees on each page are looked for in the chunks and in the blocks that are left
out by name (running heads, page numbers, headings, which stand in the section path). Pages whose health is "garbled" or "none"
have no chunks and take no part. Prints the worst files and last the share of chunks with F1 ≥ 0.99, in %.
"""

from __future__ import annotations

import argparse
import logging
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf

from pincite.anchors import anchor_of
from pincite.errors import Unreadable
from pincite.packs.health import health_of
from pincite.spec import Context
from pincite.values.pack import BlockKind, Flow, Health, Pack
from pincite_plugins.chunkers.structural import StructuralSettings
from pincite_plugins.chunkers.structural import make as make_chunker
from pincite_plugins.extractors.pdf import Settings
from pincite_plugins.extractors.pdf.extractor import PdfExtractor

GOOD = 0.99
WINDOW = 509


@dataclass
class Finding:
    """One file: F1 of each chunk with its page and text, and the letters that were looked for and found."""

    path: str
    scores: list[tuple[float, int, str]] = field(default_factory=list)
    sought: int = 0
    found: int = 0
    lacking: list[tuple[float, int]] = field(default_factory=list)
    error: str = ""

    @property
    def share(self) -> float:
        """Of the chunks that are right."""
        return sum(score >= GOOD for score, *_ in self.scores) / max(1, len(self.scores))

    @property
    def coverage(self) -> float:
        """Of the letters."""
        return self.found / self.sought if self.sought else 1.0


def count(texts: Sequence[str]) -> list[int]:
    """Tokens, about: the anchors do not depend on the tokenizer."""
    return [max(1, round(len(text.encode()) / 4)) for text in texts]


def folded(text: Iterable[str]) -> Counter[str]:
    """Characters by number."""
    plain = unicodedata.normalize("NFKD", "".join(text)).casefold().replace("ı", "i")
    dropped = ("Cc", "Cf", "Pd", "Mn", "Sk", "Zs", "Zl", "Zp")
    return Counter(char for char in plain if unicodedata.category(char) not in dropped)


def f1(a: Counter[str], b: Counter[str]) -> float:
    """Of two multisets; of two empty ones 1."""
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 1.0


class Glyphs:
    """Characters and centres of the pages of one file, read when first asked for."""

    def __init__(self, path: Path) -> None:
        self.document = pymupdf.open(path)
        if self.document.needs_pass:
            self.document.authenticate("")
        self.pages: dict[int, tuple[list[str], Any]] = {}

    def of(self, number: int) -> tuple[list[str], Any]:
        """Of one page: characters, and centres of shape (n, 2)."""
        if number not in self.pages:
            flags = pymupdf.TEXTFLAGS_RAWDICT & ~pymupdf.TEXT_PRESERVE_IMAGES
            chars, centres = [], []
            for block in self.document[number - 1].get_text("rawdict", flags=flags)["blocks"]:
                for line in block.get("lines", ()):
                    for span in line["spans"]:
                        for char in span["chars"]:
                            x1, y1, x2, y2 = char["bbox"]
                            chars.append(char["c"])
                            centres.append(((x1 + x2) / 2, (y1 + y2) / 2))
            self.pages[number] = (chars, np.array(centres).reshape(-1, 2))
        return self.pages[number]

    def under(self, rects: Iterable[Sequence[float]]) -> list[str]:
        """The characters whose centre lies in any rectangle (page, x1, y1, x2, y2), each once."""
        by_page: dict[int, list[Sequence[float]]] = {}
        for page, *box in rects:
            by_page.setdefault(int(page), []).append(box)
        out: list[str] = []
        for number, boxes in by_page.items():
            chars, centres = self.of(number)
            x, y = centres[:, 0], centres[:, 1]
            inside = np.zeros(len(chars), dtype=bool)
            for x1, y1, x2, y2 in boxes:
                inside |= (x >= x1) & (x <= x2) & (y >= y1) & (y <= y2)
            out += [chars[at] for at in np.flatnonzero(inside)]
        return out


def examine(path: Path, coverage: bool) -> Finding:
    """One file."""
    finding = Finding(str(path))
    try:
        pack = PdfExtractor(Settings()).extract(path)
    except Unreadable as error:
        finding.error = f"{error.verdict}: {error.reason}"
        return finding
    chunker: Any = make_chunker(StructuralSettings(), Context(home=Path()))
    drafts = chunker.cut(pack, count, WINDOW)
    glyphs = Glyphs(path)
    for draft in drafts:
        text = "".join(pack.text[start:end] for start, end in draft.spans)
        fresh = glyphs.under(anchor_of(pack, draft.spans)["rects"])
        finding.scores.append((f1(folded(text), folded(fresh)), draft.page or 0, text))
    if coverage:
        spans = [span for draft in drafts for span in draft.spans]
        spans += [(b.start, b.end) for b in pack.blocks if b.flow is Flow.EXCLUDED or b.kind is BlockKind.HEADING]
        _cover(path, pack, spans, finding)
    return finding


def _cover(path: Path, pack: Pack, spans: list[tuple[int, int]], finding: Finding) -> None:
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    held = np.zeros(len(pack.text) + 1, dtype=bool)
    for start, end in spans:
        held[start:end] = True
    ours: dict[int, list[str]] = {}
    places = pack.places
    assert places is not None
    for start, end, page in zip(places.start.tolist(), places.end.tolist(), places.page.tolist(), strict=True):
        ours.setdefault(page, []).extend(pack.text[at] for at in range(start, end) if held[at])
    try:
        reader = pypdf.PdfReader(path)
        if reader.is_encrypted:
            reader.decrypt("")
        for page, theirs in zip(pack.pages, reader.pages, strict=False):
            if page.health in (Health.GARBLED, Health.NONE):
                continue
            text = theirs.extract_text()
            if health_of(text)[0] in (Health.GARBLED, Health.NONE):
                continue
            sought = letters(text)
            found = (sought & letters(ours.get(page.number, []))).total()
            finding.sought += sought.total()
            finding.found += found
            finding.lacking.append((found / max(1, sought.total()), page.number))
    except Exception as error:
        finding.error = f"pypdf: {type(error).__name__}: {error}"


def letters(text: Iterable[str]) -> Counter[str]:
    """Letters by number, marks aside."""
    plain = unicodedata.normalize("NFKD", "".join(text)).casefold()
    return Counter(char for char in plain if char.isalpha())


def main() -> int:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--worst", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-coverage", action="store_true")
    options = parser.parse_args()
    paths = sorted(p for folder in options.folders for p in ([folder] if folder.is_file() else folder.rglob("*.pdf")))
    if not paths:
        print("no PDF files there", file=sys.stderr)
        return 2
    with ProcessPoolExecutor(options.workers) as pool:
        findings = list(pool.map(examine, paths, [not options.no_coverage] * len(paths)))
    report(findings, options.worst)
    return 0


def report(findings: list[Finding], worst: int) -> None:
    """Prints the worst files, the totals, and last the share."""
    for finding in findings:
        if finding.error:
            print(f"left out {finding.path}: {finding.error}")
    read = [finding for finding in findings if finding.scores]
    print("\nworst anchors")
    for finding in sorted(read, key=lambda f: f.share)[:worst]:
        if finding.share == 1:
            break
        print(f"  {finding.share:7.2%} of {len(finding.scores):4} {finding.path}")
        for score, page, text in sorted(finding.scores)[:3]:
            if score < GOOD:
                print(f"      F1 {score:.3f} p. {page}: {' '.join(text.split())[:90]}")
    print("\nworst coverage")
    for finding in sorted(findings, key=lambda f: f.coverage)[:worst]:
        if finding.sought:
            low = ", ".join(f"p. {page} {share:.1%}" for share, page in sorted(finding.lacking)[:4])
            print(f"  {finding.coverage:7.2%} of {finding.sought:7} letters {finding.path} ({low})")
    sought, found = sum(f.sought for f in findings), sum(f.found for f in findings)
    chunks = [score for finding in findings for score, *_ in finding.scores]
    print(f"\nfiles {len(read)}, chunks {len(chunks)}")
    if sought:
        print(
            f"letters seen by pypdf that stand in a chunk or a block left out by name: {found / sought:.2%} of {sought:,}"
        )
    right = sum(score >= GOOD for score in chunks)
    print(f"anchor share: {100 * right / max(1, len(chunks)):.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
