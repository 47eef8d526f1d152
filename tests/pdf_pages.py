"""PDF files for tests, set with PyMuPDF: columns of justified text, heads, feet, notes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pymupdf

from pincite.values.pack import Flow, Pack
from pincite_plugins.extractors.pdf import Settings
from pincite_plugins.extractors.pdf.extractor import PdfExtractor

WIDTH, HEIGHT = 595.0, 842.0
LEFT = pymupdf.Rect(60, 90, 285, 740)
RIGHT = pymupdf.Rect(310, 90, 535, 740)
WHOLE = pymupdf.Rect(60, 90, 535, 740)

_WORDS = re.findall(
    r"\w+",
    """meadow river stone lantern harbour copper willow thunder marble orchard candle bridge mirror falcon timber velvet
    garden silver window shadow island needle basket summer winter pepper saddle anchor feather ribbon""",
)


def prose(words: int, seed: int = 0) -> str:
    """Sentences of made-up prose, `words` words in all."""
    chance = random.Random(seed)
    out: list[str] = []
    while len(out) < words:
        sentence = [chance.choice(_WORDS) for _ in range(chance.randint(7, 14))]
        sentence[0] = sentence[0].capitalize()
        sentence[-1] += "."
        out += sentence
    out = out[:words]
    out[-1] = out[-1].rstrip(".") + "."
    return " ".join(out)


class Paper:
    """A document in the making."""

    def __init__(self) -> None:
        self.document = pymupdf.open()

    def page(self, **options: Any) -> pymupdf.Page:
        """A new page."""
        return self.document.new_page(width=WIDTH, height=HEIGHT, **options)

    def save(self, path: Path, **options: Any) -> Path:
        """Writes it."""
        self.document.save(path, **options)
        self.document.close()
        return path


def flow(page: pymupdf.Page, box: pymupdf.Rect, text: str, size: float = 10, indent: bool = True) -> str:
    """Sets words in a box, line by line, justified; gives what did not fit. A line's words stand at their own places, as
    typesetting programs leave them."""
    font = pymupdf.Font("tiro")
    space = font.text_length(" ", size)
    writer = pymupdf.TextWriter(page.rect)
    words = text.split()
    y, first = box.y0 + size, indent
    while words and y <= box.y1:
        x = box.x0 + (1.5 * size if first else 0)
        line: list[str] = []
        used = 0.0
        while words and used + font.text_length(words[0], size) <= box.x1 - x:
            used += font.text_length(words[0], size) + space
            line.append(words.pop(0))
        gap = space
        if words and len(line) > 1:
            gap = (box.x1 - x - sum(font.text_length(word, size) for word in line)) / (len(line) - 1)
        for word in line:
            writer.append((x, y), word, font=font, fontsize=size)
            x += font.text_length(word, size) + gap
        y += 1.2 * size
        first = False
    writer.write_text(page)
    return " ".join(words)


def put(page: pymupdf.Page, x: float, y: float, text: str, size: float = 10, bold: bool = False) -> None:
    """One line at a baseline."""
    page.insert_text((x, y), text, fontsize=size, fontname="tibo" if bold else "tiro")


def extract(path: Path, password: str | None = None, **settings: Any) -> Pack:
    """The pack of a file."""
    return PdfExtractor(Settings(**settings)).extract(path, password)


def bodies(pack: Pack) -> list[str]:
    """The texts of the body blocks, white space collapsed."""
    return [" ".join(pack.text[b.start : b.end].split()) for b in pack.blocks if b.flow is Flow.BODY]


def texts(pack: Pack, flow_: Flow) -> list[str]:
    """The texts of the blocks of one flow, white space collapsed."""
    return [" ".join(pack.text[b.start : b.end].split()) for b in pack.blocks if b.flow is flow_]
