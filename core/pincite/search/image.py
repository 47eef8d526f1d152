"""A page of a PDF as a picture, with the rectangles of a passage marked.

Any file is a safe input: the page is drawn in a process of its own, with limits of time and memory.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError, UsageError
from pincite.whole import write_whole

DOTS = 144
"""Dots an inch of the picture, as long as it does not get larger than `MOST_PIXELS`."""

MOST_PIXELS = 24_000_000
SECONDS = 60.0
MEMORY = 2 << 30
"""Bytes of address space of the drawing process, where the system can limit it."""

TINT = (255, 226, 89)
"""The highlighter's yellow: the page is multiplied with it, so that black ink stays black."""


def write_page(path: str, anchor: Mapping[str, Any], target: Path, password: str | None = None) -> list[int]:
    """Writes the first page that `anchor` touches as a PNG, its rectangles marked; returns the pages that it touches.

    Raises `UsageError` for a passage that has no place in a PDF, `PinciteError` where the page cannot be drawn or written.
    """
    rects, from_below = _rects(anchor)
    if not rects:
        raise UsageError("only a passage of a PDF has a page to draw; `pincite show` prints this one")
    if not os.path.exists(path):
        raise PinciteError(f"{path}: the file is not there any more")
    order = json.dumps(
        {"path": path, "rects": rects, "from_below": from_below, "target": str(target), "password": password}
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", "from pincite.search.image import _main; _main()"],
            input=order.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PinciteError(f"{path}: the page was not drawn within {SECONDS:g} s") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise PinciteError(f"{path}: the page cannot be drawn: {lines[-1] if lines else 'the drawing process died'}")
    return sorted({int(rect[0]) for rect in rects})


def _rects(anchor: Mapping[str, Any]) -> tuple[list[list[float]], bool]:
    """The rectangles of an anchor (page, x1, y1, x2, y2), and whether they count from the page's bottom, as Zotero's do: a PDF's own."""
    if anchor.get("kind") == "pdf":
        return anchor.get("rects") or [], False
    try:
        position = anchor["position"] if anchor.get("kind") == "zotero" else {}
        return [[int(position["pageIndex"]) + 1, *map(float, rect[:4])] for rect in position["rects"]], True
    except (KeyError, TypeError, ValueError):  # of an EPUB, a drawing, or no position of Zotero's
        return [], True


def draw(path: str, rects: Sequence[Sequence[float]], password: str | None = None, from_below: bool = False) -> bytes:
    """The PNG of the first page of `rects` (page, x1, y1, x2, y2; specs/05-anchors.md). Raises what pymupdf raises."""
    import numpy as np

    pymupdf: Any = importlib.import_module("pymupdf")  # heavy, and without types

    number = int(rects[0][0])
    with pymupdf.open(path) as document:
        if document.needs_pass and not document.authenticate(password or ""):
            raise ValueError("it is encrypted; set its password under [passwords]")
        if not 1 <= number <= document.page_count:
            raise ValueError(f"it has no page {number} any more")
        page = document[number - 1]
        shown = page.rect
        zoom = min(DOTS / 72, (MOST_PIXELS / max(1.0, shown.width * shown.height)) ** 0.5)
        picture = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False, colorspace=pymupdf.csRGB)
        samples = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, 3).copy()
        for rect in rects:
            if int(rect[0]) != number:
                continue
            x1, y1, x2, y2 = on_picture(page, _from_above(page, rect[1:5]) if from_below else rect[1:5], zoom)
            part = samples[max(0, y1) : max(0, y2), max(0, x1) : max(0, x2)]
            part[:] = (part.astype(np.uint16) * np.array(TINT, np.uint16) // 255).astype(np.uint8)
        marked = pymupdf.Pixmap(pymupdf.csRGB, picture.width, picture.height, samples.tobytes(), False)
        return bytes(marked.tobytes("png"))


def _from_above(page: Any, rect: Sequence[float]) -> tuple[float, float, float, float]:
    """A rectangle in the PDF's own coordinates in those of the page as it is cropped, which pymupdf's matrix leaves out of account."""
    left, top = page.cropbox.x0, page.cropbox.y0
    height = page.mediabox.y1
    return rect[0] - left, height - rect[3] - top, rect[2] - left, height - rect[1] - top


def on_picture(page: Any, rect: Sequence[float], zoom: float) -> tuple[int, int, int, int]:
    """A rectangle of an anchor (points, before the page's rotation) in pixels of its picture."""
    a, b, c, d, e, f = page.rotation_matrix
    corners = [(rect[0], rect[1]), (rect[2], rect[3])]
    xs = sorted(zoom * (a * x + c * y + e) for x, y in corners)
    ys = sorted(zoom * (b * x + d * y + f) for x, y in corners)
    return math.floor(xs[0]), math.floor(ys[0]), math.ceil(xs[1]), math.ceil(ys[1])


def _main() -> None:
    """The drawing process: its order is JSON on standard input; its fault is the last line on standard error."""
    order = json.loads(sys.stdin.buffer.read())
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass
    try:
        importlib.import_module("pymupdf").TOOLS.mupdf_display_errors(False)
        data = draw(order["path"], order["rects"], order["password"], order["from_below"])
        write_whole(Path(order["target"]), data)
    except OSError as error:
        sys.exit(f"{error.filename or order['target']}: {error.strerror or error}")
    except Exception as error:
        sys.exit(" ".join(str(error).split()) or type(error).__name__)
