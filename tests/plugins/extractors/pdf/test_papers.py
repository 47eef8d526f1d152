"""What is promised of real papers (specs/04-packs.md), over the corpora."""

import re
from itertools import pairwise

import pytest

from pdf_pages import extract
from pincite.values.pack import BlockKind, Flow, Health, Pack

TWO_COLUMNS = (
    "arxiv-2304.02623",
    "jcon.00012",
    "jcon.00035",
    "jcon.00053",
    "jcon.00068",
    "jcon.00134",
    "jcon.00202",
    "mineru-flow-duration",
    "naacl06-shinyama",
    "pm-box-diff-page",
    "sp-P07-1088",
    "sp-bunescu-acl07",
    "sp-dyer12",
    "sp-mono04",
    "sp-pedersen04",
    "tracemonkey-annotated",
    "zotsite-todo-lists",
)


def crossings(pack: Pack) -> tuple[int, int]:
    """How many blocks of running text go on over a column or page break, and how many pairs of neighbours are one sentence
    cut in two there."""
    places = pack.places
    assert places is not None
    top = {}
    for start, page, box in zip(places.start.tolist(), places.page.tolist(), places.box.tolist(), strict=True):
        top[start] = (page, box[1])
    starts = sorted(top)
    whole = cut = 0
    body = [b for b in pack.blocks if b.flow is Flow.BODY and b.kind in (BlockKind.PARAGRAPH, BlockKind.LIST)]
    for block in body:
        inside = [top[start] for start in starts if block.start <= start < block.end]
        whole += any(b[0] != a[0] or b[1] < a[1] - 100 for a, b in pairwise(inside))
    for one, two in pairwise(body):
        a, b = pack.text[one.start : one.end], pack.text[two.start : two.end]
        last = max(start for start in starts if start < one.end)
        first = min(start for start in starts if start >= two.start)
        broken = top[first][0] != top[last][0] or top[first][1] < top[last][1] - 100
        cut += broken and bool(re.search(r"[a-z,-]$", a) and re.match(r"[a-z]", b)) and min(len(a), len(b)) > 40
    return whole, cut


@pytest.mark.corpora
def test_sentences_over_column_and_page_breaks_are_whole(corpora):
    counts = {name: crossings(extract(corpora / "docs" / "papers" / f"{name}.pdf")) for name in TWO_COLUMNS}
    whole, cut = sum(w for w, _ in counts.values()), sum(c for _, c in counts.values())
    assert whole >= 150
    assert cut <= 0.04 * whole, {name: count for name, count in counts.items() if count[1]}


@pytest.mark.corpora
def test_the_paper_of_glyph_codes_is_known_for_it(corpora):
    pack = extract(corpora / "docs" / "papers" / "pdfjs-TAMReview.pdf")
    assert sum(page.health is Health.GARBLED for page in pack.pages) == 21
    assert [page.health for page in pack.pages[:2]] == [Health.GOOD, Health.GARBLED]
    assert all(b.page in (1, 23) for b in pack.blocks if b.flow is not Flow.EXCLUDED)


@pytest.mark.corpora
@pytest.mark.parametrize("name", TWO_COLUMNS)
def test_a_paper_has_its_parts(corpora, name):
    pack = extract(corpora / "docs" / "papers" / f"{name}.pdf")
    roles = {b.role for b in pack.blocks}
    assert {"title", "abstract"} <= roles
    references = [b for b in pack.blocks if b.reference]
    assert len(references) >= 5
    assert len(pack.sections) >= 5
    assert all(not pack.text[b.start : b.end].startswith("References") for b in references)


@pytest.mark.corpora
def test_the_annotations_of_a_real_file(corpora):
    pack = extract(corpora / "docs" / "papers" / "tracemonkey-annotated.pdf")
    assert len(pack.annotations) == 13
    marked = [a for a in pack.annotations if a.kind == "highlight"]
    assert marked
    assert all(a.text and a.rects for a in marked)
