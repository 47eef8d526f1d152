"""Where a passage is opened (specs/16-sources.md, specs/25-places.md)."""

import pytest

from pincite.search.places import link_of
from pincite.values.library import Attachment, Item, Record
from pincite.values.search import Chunk, ChunkKind

PDF, ZOTERO = "file:///shelf/a%20b.pdf#page={page}", "zotero://open-pdf/library/items/AB12?page={page}"


def record(*attachments, link=""):
    return Record(Item(id="one", link=link), attachments=attachments)


def chunk(page, attachment="pdf"):
    return Chunk(
        1,
        "one#1",
        1,
        attachment,
        attachment,
        ChunkKind.BODY if attachment else ChunkKind.ITEM,
        (),
        (),
        page,
        None,
        {},
        "en",
    )


@pytest.mark.parametrize(
    ("link", "page", "opened"),
    [
        (PDF, 7, "file:///shelf/a%20b.pdf#page=7"),
        (PDF, None, "file:///shelf/a%20b.pdf"),
        (ZOTERO, 7, "zotero://open-pdf/library/items/AB12?page=7"),
        (ZOTERO, None, "zotero://open-pdf/library/items/AB12"),
        ("https://library.example/read?id=4", 7, "https://library.example/read?id=4"),
        ("https://library.example/read?id=4", None, "https://library.example/read?id=4"),
        ("https://library.example/read?id=4#page={page}", None, "https://library.example/read?id=4"),
    ],
)
def test_a_passage_opens_its_attachment_at_its_page_where_it_has_one(link, page, opened):
    assert link_of(record(Attachment("pdf", link=link)), chunk(page)) == opened


@pytest.mark.parametrize(("link", "opened"), [(PDF, "file:///shelf/a%20b.pdf"), ("", "file:///shelf/c.pdf")])
def test_a_work_without_a_link_opens_its_file_as_a_whole(link, opened):
    assert link_of(record(Attachment("pdf", path="/shelf/c.pdf", link=link)), chunk(None, attachment="")) == opened


def test_a_work_with_a_link_opens_it():
    assert link_of(record(Attachment("pdf", link=PDF), link="zotero://select/library/items/AB12"), chunk(None, "")) == (
        "zotero://select/library/items/AB12"
    )
