"""Plain text → pack."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Unreadable
from pincite.values.pack import BlockKind, Flow
from pincite_plugins.extractors.text.extractor import TextExtractor, pack_of


def shown(pack):
    """(kind, text) of each block."""
    return [(block.kind.value, pack.text[block.start : block.end]) for block in pack.blocks]


def headings(text):
    pack = pack_of(text)
    return [(section.title, section.level) for section in pack.sections]


def test_the_text_is_the_file_itself():
    text = "Crabs wait\r\nunder the stone.\r\n\r\n\tThey   come out.\r\n"
    pack = pack_of(text)
    assert pack.text == text
    assert [(run.start, run.end, run.offset) for run in pack.runs] == [(0, len(text), 0)]
    assert shown(pack) == [("paragraph", "Crabs wait\r\nunder the stone."), ("paragraph", "They   come out.")]


def test_paragraphs_may_be_told_by_indentation():
    text = "  Crabs wait under\nthe stone by day.\n  They come out\nwhen the water does.\n"
    assert len(pack_of(text).blocks) == 2


def test_unwrapped_lines_are_paragraphs():
    line = "Crabs wait under the stone by day, and come out when the water does, which nobody can explain so far. " * 2
    assert len(pack_of(f"{line}\n{line}\nA short one.\n").blocks) == 3


def test_items_of_a_list_are_blocks_of_their_own():
    pack = pack_of("We took:\n- a net\n- a lamp that\n  burns oil\n1. first\n2. second\n")
    assert [kind for kind, _ in shown(pack)] == ["paragraph", "list", "list", "list", "list"]
    assert shown(pack)[2][1] == "- a lamp that\n  burns oil"


def test_a_dash_in_the_middle_of_a_sentence_begins_no_item():
    pack = pack_of(
        "The pools on the north side of the bay\n- and only those - are dry at noon.\n\nThe crab waits.\n– It waits."
    )
    assert [kind for kind, _ in shown(pack)] == ["paragraph", "paragraph"]


def test_columns_of_figures_are_a_table():
    pack = pack_of(
        "Counts of the year.\n\nSite     Days    Crabs\nCove     11      40\nBar      9       12\n\nSo it was.\n"
    )
    assert [kind for kind, _ in shown(pack)] == ["paragraph", "table", "paragraph"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tides\n=====\n\nText of it.\n\nEbb\n---\n\nMore text.\n", [("Tides", 1), ("Ebb", 2)]),
        ("1 Tides\n\nText of it.\n\n1.1 Ebb\n\nMore text.\n", [("1 Tides", 1), ("1.1 Ebb", 2)]),
        ("CHAPTER IV. The Cove\n\nText of it.\n", [("CHAPTER IV. The Cove", 1)]),
        ("CHAPTER IV\n\nTHE COVE\n\nText of it.\n", [("CHAPTER IV", 1), ("THE COVE", 2)]),
        ("Chapter 1\n\nText of it.\n", [("Chapter 1", 1)]),
        ("THE COVE\n\nText of it.\n", [("THE COVE", 1)]),
        ("References\n\n[1] A note.\n", [("References", 1)]),
        ("第一章 海岸\n\n蟹は石の下で待つ。\n", [("第一章 海岸", 1)]),
        ("一、引言\n\n螃蟹在石头下面等待。\n", [("一、引言", 1)]),
        ("1. Buy a net\n\n2. Buy a lamp\n\n3. Go out\n", []),
        ("It was over.\n\nThey left.\n", []),
        ("The last line stands alone\n", []),
    ],
)
def test_headings(text, expected):
    assert headings(text) == expected


def test_form_feeds_are_page_breaks():
    pack = pack_of("They counted the crabs\n\fthat came back.\n\fThen they left.\n\f")
    assert [page.number for page in pack.pages] == [1, 2, 3]
    assert [block.page for block in pack.blocks] == [1, 2, 3]


def test_a_text_without_form_feeds_has_no_pages():
    pack = pack_of("They counted the crabs.\n")
    assert pack.pages == ()
    assert pack.blocks[0].page is None


@pytest.mark.parametrize("pages", [5, 39, 112])
def test_running_heads_and_page_numbers_are_excluded_however_long_the_text(pages):
    page = "Journal of Tides, vol. {n}\n\nThe crab of pool q{a} was seen again, and stayed.\n\n{n}\n"
    names = [chr(97 + n % 26) + chr(97 + n // 26) for n in range(pages)]
    pack = pack_of("\f".join(page.format(n=n, a=a) for n, a in enumerate(names, 1)))
    excluded = [pack.text[b.start : b.end] for b in pack.blocks if b.flow is Flow.EXCLUDED]
    assert excluded == [part for n in range(1, pages + 1) for part in (f"Journal of Tides, vol. {n}", str(n))]


def test_a_bibliography_is_marked_and_what_follows_is_not():
    text = (
        "Tides\n=====\n\nWe watched.\n\nREFERENCES\n\n"
        "[1] Noor, A. (2011). Shore rhythms. Journal of Tides 4(2), 11-19.\n"
        "[2] Ito, K. (2013). Clocks of crabs. Marine Notes 9, 100-110.\n\n"
        "APPENDIX\n\nThe pools are listed here.\n"
    )
    pack = pack_of(text)
    assert [pack.text[b.start : b.start + 3] for b in pack.blocks if b.reference] == ["[1]", "[2]"]


def test_what_a_head_says_is_metadata():
    assert pack_of("Title: The Cove\nAuthor: Amina Noor\nLanguage: English\n\nText.\n").metadata == {
        "title": "The Cove",
        "author": "Amina Noor",
        "language": "en",
    }
    assert pack_of("The Cove at Night\n\nCrabs wait here.\n").metadata == {"title": "The Cove at Night"}


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (b"", "empty"),
        (b" \n\n\t", "empty"),
        (b"* * *\n-----\n", "no-text"),
        (bytes(range(256)) * 40, "not-a-document"),
        (b"%PDF-1.7\n1 0 obj", "not-a-document"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "not-a-document"),
    ],
)
def test_what_is_no_text_is_said_so(tmp_path, data, verdict):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(Unreadable) as caught:
        TextExtractor().extract(path)
    assert caught.value.verdict == verdict
    assert "a.txt" in caught.value.reason


def test_faults_of_the_file_system_have_their_class(tmp_path):
    with pytest.raises(Unreadable) as caught:
        TextExtractor().extract(tmp_path / "none.txt")
    assert caught.value.verdict == "missing"
    with pytest.raises(Unreadable) as caught:
        TextExtractor().extract(tmp_path)
    assert caught.value.verdict == "not-a-document"
    path = tmp_path / "long.txt"
    path.write_text("Crabs wait. " * 100)
    with pytest.raises(Unreadable) as caught:
        TextExtractor(max_bytes=1000).extract(path)
    assert caught.value.verdict == "too-large"


def test_any_encoding(tmp_path):
    path = tmp_path / "a.txt"
    for encoding in ("utf-8", "utf-16", "cp1252"):
        path.write_bytes("Größe der Krabben – im Überblick".encode(encoding))
        assert TextExtractor().extract(path).text == "Größe der Krabben – im Überblick"


@given(st.text(alphabet="aB1 \n\r\t\f-=.[]潮é\u2028", max_size=300))
def test_any_text_is_taken_and_its_blocks_are_in_order(text):
    pack = pack_of(text)
    end = 0
    for block in pack.blocks:
        assert end <= block.start < block.end <= len(text)
        assert -1 <= block.section < len(pack.sections)
        end = block.end
    words = "".join(text[block.start : block.end] for block in pack.blocks)
    assert sum(map(str.isalnum, words)) == sum(map(str.isalnum, text))
    assert all(block.kind is not BlockKind.HEADING or block.section >= 0 for block in pack.blocks)
