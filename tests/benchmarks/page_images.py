"""Pictures of pages with passages marked: what stands under the mark is the passage.

    python tests/benchmarks/page_images.py FILE.pdf … --out FOLDER

For each file a passage from its middle is drawn by `pincite.search.image`. The yellow of the picture is mapped back to the page, and the words whose
centre lies under it are compared with the passage: prints their agreement (F1 over letters, NFKC), the page's rotation and crop.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import pymupdf

from pincite.anchors import anchor_of
from pincite.search.image import DOTS, TINT, write_page
from pincite.spec import Context
from pincite.values.pack import Pack
from pincite_plugins.extractors.pdf import Settings, _pdf


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    extractor = _pdf(Settings(), Context(home=given.out))
    for path in given.files:
        try:
            pack = extractor.extract(path)
        except Exception as error:
            print(f"{path.name}: {error}")
            continue
        span = _middle(pack)
        if span is None:
            print(f"{path.name}: no passage with a place")
            continue
        anchor = anchor_of(pack, [span])
        target = given.out / f"{path.stem}.png"
        pages = write_page(str(path), anchor, target)
        with pymupdf.open(path) as document:
            page = document[pages[0] - 1]
            under = _under(target, page)
            there = _letters(_text_on(pack, span, pages[0]))
            both = sum((under & there).values())
            f1 = 2 * both / max(1, sum(under.values()) + sum(there.values()))
            crop = "cropped" if page.cropbox != page.mediabox else "whole"
            print(
                f"{path.name}: page {pages[0]}, rotated {page.rotation}, {crop}, {sum(there.values())} letters, F1 {f1:.3f}"
            )


def _letters(text: str) -> Counter[str]:
    return Counter(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def _middle(pack: Pack) -> tuple[int, int] | None:
    blocks = [one for one in pack.blocks if one.end - one.start > 60] or list(pack.blocks)
    if not blocks or pack.places is None:
        return None
    block = blocks[len(blocks) // 2]
    return block.start, min(block.end, block.start + 900)


def _text_on(pack: Pack, span: tuple[int, int], number: int) -> str:
    places = pack.places
    assert places is not None
    rows = np.flatnonzero((places.page == number) & (places.start >= span[0]) & (places.end <= span[1]))
    return " ".join(pack.text[int(places.start[row]) : int(places.end[row])] for row in rows)


def _under(picture: Path, page: pymupdf.Page) -> Counter[str]:
    """The words whose centre is tinted in the picture. Around ink the tint is looked for in the box's corners and edges."""
    pixels = pymupdf.Pixmap(str(picture))
    samples = (
        np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, pixels.n)[..., :3].astype(int)
    )
    yellow = (samples[..., 2] * 255 <= samples[..., 0] * (TINT[2] + 40)) & (samples[..., 0] > 120)
    zoom = pixels.width / page.rect.width
    assert abs(zoom - DOTS / 72) < 0.05 or pixels.width * pixels.height > 20_000_000
    found: Counter[str] = Counter()
    for x1, y1, x2, y2, word, *_ in page.get_text("words"):
        box = pymupdf.Rect(x1, y1, x2, y2) * page.rotation_matrix * pymupdf.Matrix(zoom, zoom)
        box.normalize()
        middle = (box.y0 + box.y1) / 2
        part = yellow[int(middle - 2) : int(middle + 3), int(box.x0) : int(box.x1) + 1]
        if part.size and part.mean() > 0.25:
            found += _letters(word)
    return found


if __name__ == "__main__":
    main()
