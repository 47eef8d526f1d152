"""What a Zotero item becomes (specs/16-sources.md, "zotero")."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.spec import Context
from pincite.values.library import Creator, Item, Problem, Record
from pincite_plugins.sources.zotero import ZoteroSettings, open_zotero
from zotero_library import ZoteroLibrary


def read(folder: Path, **settings: Path) -> dict[str, Record]:
    source = open_zotero(ZoteroSettings(**settings), Context(home=folder, library=folder))
    records = list(source.records())
    source.close()
    assert not [one for one in records if isinstance(one, Problem)]
    assert [one.item.id for one in records] == sorted(one.item.id for one in records)
    return {one.item.id: one for one in records}


@pytest.fixture
def library(tmp_path: Path) -> ZoteroLibrary:
    return ZoteroLibrary(tmp_path / "Zotero")


def only(library: ZoteroLibrary) -> Item:
    (record,) = read(library.close()).values()
    return record.item


def test_metadata_of_an_article(library: ZoteroLibrary) -> None:
    item = library.item(
        "journalArticle",
        "ART00001",
        title="Lichens as <i>clocks</i>",
        shortTitle="Lichens",
        abstractNote="<p>Slow growth.</p><p>Dated walls.</p>",
        date="2014-10-00 October 2014",
        publicationTitle="Annals of Slow Things",
        DOI="https://doi.org/10.1234/ABC.5",
        ISSN="1234-567x",
        url="https://example.org/lichens",
        language="en-GB",
        citationKey="moss2014",
        extra="PMID: 23439512\nsomething else",
    )
    library.creator(item, "Moss", "Ada")
    library.creator(item, "Institute of Walls", single=True)
    library.creator(item, "Fern", "Bo", role="editor")
    library.tag(item, "growth")
    library.tag(item, "dating")
    assert only(library) == Item(
        id="ART00001",
        kind="article-journal",
        title="Lichens as clocks",
        alternative_titles=("Lichens",),
        creators=(Creator("Moss", "Ada"), Creator("Institute of Walls"), Creator("Fern", "Bo", "editor")),
        year=2014,
        date="2014-10",
        venue="Annals of Slow Things",
        abstract="Slow growth.\n\nDated walls.",
        language="en",
        doi="10.1234/abc.5",
        identifiers=("pmid:23439512", "issn:1234-567X"),
        url="https://example.org/lichens",
        key="moss2014",
        tags=("dating", "growth"),
        link="zotero://select/library/items/ART00001",
        modified="2025-03-04 05:06:07",
    )


@pytest.mark.parametrize(
    ("kind", "field"), [("case", "caseName"), ("email", "subject"), ("statute", "nameOfAct"), ("book", "title")]
)
def test_title_is_the_field_that_the_type_has_for_it(library: ZoteroLibrary, kind: str, field: str) -> None:
    library.item(kind, **{field: "Of Bridges"})
    assert only(library).title == "Of Bridges"


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("bookSection", "bookTitle"),
        ("conferencePaper", "proceedingsTitle"),
        ("conferencePaper", "conferenceName"),
        ("webpage", "websiteTitle"),
        ("preprint", "repository"),
    ],
)
def test_venue_is_the_field_that_the_type_has_for_it(library: ZoteroLibrary, kind: str, field: str) -> None:
    library.item(kind, title="T", **{field: "The Whole"})
    assert only(library).venue == "The Whole"


def test_every_zotero_type_has_a_csl_type() -> None:
    from pincite.metadata.zotero import CSL_TYPES
    from zotero_schema import ITEM_TYPES

    assert set(ITEM_TYPES) - set(CSL_TYPES) == {"annotation", "attachment", "note"}


@pytest.mark.parametrize(
    ("stored", "year", "date"),
    [
        ("2017-00-00 2017", 2017, "2017"),
        ("1999-02-28 28 Feb 1999", 1999, "1999-02-28"),
        ("0000-00-00 forthcoming", None, "forthcoming"),
        ("0000-05-00 May", None, "May"),
        ("0476-09-04 4 September 476", 476, "0476-09-04"),
    ],
)
def test_dates_as_far_as_they_are_known(library: ZoteroLibrary, stored: str, year: int | None, date: str) -> None:
    library.item("book", title="T", date=stored)
    item = only(library)
    assert (item.year, item.date) == (year, date)


def test_extra_gives_what_the_type_has_no_field_for(library: ZoteroLibrary) -> None:
    library.item("webpage", title="T", extra="Citation Key: fern2020\nDOI: 10.1234/xyz\narXiv: 2001.01234v2 [cs.CL]")
    item = only(library)
    assert (item.key, item.doi, item.identifiers) == ("fern2020", "10.1234/xyz", ("arxiv:2001.01234",))


def test_isbn_of_ten_is_the_isbn_of_thirteen(library: ZoteroLibrary) -> None:
    library.item("book", title="T", ISBN="0-521-65177-8 978-0-521-65177-6")
    assert only(library).isbn == "9780521651776"


def test_collections_are_paths_without_those_in_the_trash(library: ZoteroLibrary) -> None:
    item = library.item("book", title="T")
    outer = library.collection("Stone", items=[item])
    library.collection("Walls", parent=outer, items=[item])
    gone = library.collection("Gone", items=[item])
    library.collection("Below gone", parent=gone, items=[item])
    library.trash_collection(gone)
    assert only(library).collections == ("Stone", "Stone/Walls")


def test_group_items_are_labelled_and_feeds_left_out(library: ZoteroLibrary) -> None:
    group = library.group(4711, "Reading circle")
    feed = library.feed("news")
    library.item("book", "SAMEKEY1", title="Mine")
    library.item("book", "SAMEKEY1", library=group, title="Ours")
    library.item("journalArticle", "FEEDITEM", library=feed, title="News")
    records = read(library.close())
    assert {id: (one.item.title, one.item.group, one.item.link) for id, one in records.items()} == {
        "4711/SAMEKEY1": ("Ours", "Reading circle", "zotero://select/groups/4711/items/SAMEKEY1"),
        "SAMEKEY1": ("Mine", "", "zotero://select/library/items/SAMEKEY1"),
    }


def test_items_in_the_trash_are_left_out(library: ZoteroLibrary) -> None:
    library.item("book", "KEPT0001", title="Kept")
    library.trash(library.item("book", "GONE0001", title="Gone"))
    assert list(read(library.close())) == ["KEPT0001"]


@pytest.mark.corpora
def test_real_library(corpora: Path) -> None:
    records = read(corpora / "bib" / "zotero" / "zotsite")
    assert {id: (one.item.title, one.item.year, len(one.item.creators)) for id, one in records.items()} == {
        "4A5CQFNI": ("Attention is All you Need", 2017, 8),
        "FWSUJ5PW": ("GloVe: Global Vectors for Word Representation", 2014, 6),
        "VZ63MTAR": ("Word Mover's Embedding: From Word2Vec to Document Embedding", 2018, 12),
        "WBUM8G2G": ("Earth Mover Distance over High-Dimensional Spaces", None, 3),
    }
    assert records["VZ63MTAR"].item.collections == ("Geometric", "NLP")
    for record in records.values():
        (attachment,) = record.attachments
        assert Path(attachment.path).read_bytes().startswith(b"%PDF")
