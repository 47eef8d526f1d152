"""Notes, attachments and annotations of Zotero items (specs/16-sources.md, "zotero")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.spec import Context
from pincite.values.library import Annotation, AnnotationKind, Attachment, Note, Record
from pincite_plugins.sources.zotero import ZoteroSettings, open_zotero
from zotero_library import EMBEDDED_IMAGE, IMPORTED_URL, LINKED_FILE, LINKED_URL, ZoteroLibrary


@pytest.fixture
def library(tmp_path: Path) -> ZoteroLibrary:
    return ZoteroLibrary(tmp_path / "Zotero")


def read(library: ZoteroLibrary, base: Path | None = None) -> dict[str, Record]:
    folder = library.close()
    source = open_zotero(ZoteroSettings(base_directory=base), Context(home=folder, library=folder))
    return {one.item.id: one for one in source.records() if isinstance(one, Record)}


def only_attachment(library: ZoteroLibrary, base: Path | None = None) -> Attachment:
    (record,) = read(library, base).values()
    (attachment,) = record.attachments
    return attachment


def test_a_note_is_plain_text_and_whole(library: ZoteroLibrary) -> None:
    item = library.item("book", "BOOK0001", title="T")
    long = "".join(f"<p>Paragraph {n} on mortar &amp; lime.</p>" for n in range(2000))
    library.note(f"<h1>On walls</h1>{long}<ul><li>one</li><li>two</li></ul>", item, "NOTE0001", "On walls")
    (note,) = read(library)["BOOK0001"].notes
    assert note.text.startswith("On walls\n\nParagraph 0 on mortar & lime.\n\nParagraph 1 on")
    assert note.text.endswith("Paragraph 1999 on mortar & lime.\n\none\ntwo")
    assert (note.id, note.title, note.link) == ("NOTE0001", "On walls", "zotero://select/library/items/NOTE0001")


def test_a_note_alone_is_an_item(library: ZoteroLibrary) -> None:
    library.note("<p>Ask about the quarry.</p>", key="NOTE0001", title="Ask about the quarry.")
    record = read(library)["NOTE0001"]
    assert (record.item.title, record.notes[0].text) == ("Ask about the quarry.", "Ask about the quarry.")


def test_a_file_alone_is_an_item(library: ZoteroLibrary) -> None:
    library.attachment("storage:scan.pdf", key="FILE0001", title="scan.pdf")
    record = read(library)["FILE0001"]
    assert record.attachments[0].path.endswith("storage/FILE0001/scan.pdf")
    assert (record.item.title, record.item.kind) == ("", "")


def test_a_file_alone_keeps_a_title_that_was_given(library: ZoteroLibrary) -> None:
    library.attachment("storage:scan.pdf", key="FILE0001", title="On mortar")
    assert read(library)["FILE0001"].item.title == "On mortar"


def test_stored_file_is_below_its_own_key(library: ZoteroLibrary) -> None:
    item = library.item("book", "BOOK0001", title="T")
    library.attachment("storage:Müller 2020.pdf", item, "FILE0001", content=b"%PDF-1.7", title="Full Text PDF")
    attachment = only_attachment(library)
    assert attachment == Attachment(
        id="FILE0001",
        path=str(library.folder / "storage" / "FILE0001" / "Müller 2020.pdf"),
        content_type="application/pdf",
        title="Full Text PDF",
        link="zotero://open-pdf/library/items/FILE0001?page={page}",
        modified="2025-03-04 05:06:07",
    )


def test_name_in_another_normal_form_on_the_disk_is_found(library: ZoteroLibrary) -> None:
    item = library.item("book", title="T")
    library.attachment("storage:Mu\u0308ller.pdf", item, "FILE0001")
    on_disk = library.folder / "storage" / "FILE0001" / "M\u00fcller.pdf"
    on_disk.parent.mkdir(parents=True)
    on_disk.write_bytes(b"%PDF")
    assert only_attachment(library).path == str(on_disk)


def test_linked_file_below_the_base_directory(library: ZoteroLibrary, tmp_path: Path) -> None:
    item = library.item("book", title="T")
    library.attachment("attachments:walls/lime.pdf", item, link_mode=LINKED_FILE)
    assert only_attachment(library, tmp_path / "papers").path == str(tmp_path / "papers" / "walls" / "lime.pdf")


def test_linked_file_without_a_base_directory_says_what_to_set(library: ZoteroLibrary) -> None:
    library.attachment("attachments:walls/lime.pdf", library.item("book", title="T"), link_mode=LINKED_FILE)
    attachment = only_attachment(library)
    assert (attachment.path, attachment.missing) == ("", "no base_directory is set for attachments:walls/lime.pdf")


@pytest.mark.parametrize(
    ("path", "link_mode", "expected", "missing"),
    [
        ("/data/lime.pdf", LINKED_FILE, "/data/lime.pdf", False),
        ("C:\\data\\lime.pdf", LINKED_FILE, "", True),
        ("\\\\server\\data\\lime.pdf", LINKED_FILE, "", True),
        (None, LINKED_URL, "", True),
        (None, IMPORTED_URL, "", True),
        ("storage:../../secret.pdf", IMPORTED_URL, "", True),
    ],
)
def test_other_paths(library: ZoteroLibrary, path: str | None, link_mode: int, expected: str, missing: bool) -> None:
    library.attachment(path, library.item("book", title="T"), link_mode=link_mode)
    attachment = only_attachment(library)
    assert (attachment.path, bool(attachment.missing)) == (expected, missing)


def test_images_inside_notes_are_no_attachments(library: ZoteroLibrary) -> None:
    note = library.note("<p>A picture</p>", library.item("book", "BOOK0001", title="T"))
    library.attachment("storage:image.png", note, link_mode=EMBEDDED_IMAGE, content_type="image/png")
    records = read(library)
    assert list(records) == ["BOOK0001"]
    assert records["BOOK0001"].attachments == ()


@pytest.mark.parametrize("kind", ["highlight", "note", "image", "ink", "underline", "text"])
def test_every_kind_of_annotation(library: ZoteroLibrary, kind: str) -> None:
    file = library.attachment("storage:a.pdf", library.item("book", "BOOK0001", title="T"))
    library.annotation(file, kind, comment="look here")
    (annotation,) = read(library)["BOOK0001"].annotations
    assert (annotation.kind, annotation.comment) == (AnnotationKind(kind), "look here")


def test_annotation_of_a_pdf_keeps_page_label_and_zoteros_position(library: ZoteroLibrary) -> None:
    file = library.attachment("storage:a.pdf", library.item("book", "BOOK0001", title="T"), "FILE0001")
    position = {"pageIndex": 11, "rects": [[72.5, 600.1, 300, 612]]}
    marked = library.annotation(
        file, "highlight", "lime &lt; clay", "so <b>what</b>?", "ANNO0001", position, "xii", "00011|000002|00180"
    )
    library.tag(marked, "mortar")
    (annotation,) = read(library)["BOOK0001"].annotations
    assert json.loads(annotation.anchor) == {"kind": "zotero", "position": position}
    assert annotation == Annotation(
        id="ANNO0001",
        attachment="FILE0001",
        kind=AnnotationKind.HIGHLIGHT,
        text="lime < clay",
        comment="so what?",
        color="#ffd400",
        page=12,
        page_label="xii",
        order="00011|000002|00180",
        anchor=annotation.anchor,
        tags=("mortar",),
        link="zotero://open-pdf/library/items/FILE0001?annotation=ANNO0001&page=12",
        modified="2025-03-04 05:06:07",
    )


def test_annotation_of_an_epub_has_no_page(library: ZoteroLibrary) -> None:
    item = library.item("book", "BOOK0001", title="T")
    file = library.attachment("storage:a.epub", item, content_type="application/epub+zip")
    position = {"type": "FragmentSelector", "value": "epubcfi(/6/4!/4/2,/1:0,/1:9)"}
    library.annotation(file, text="mortar", position=position, page_label="7")
    (annotation,) = read(library)["BOOK0001"].annotations
    assert (annotation.page, annotation.page_label) == (None, "7")
    assert json.loads(annotation.anchor)["position"] == position


def test_annotations_come_in_the_order_of_the_text(library: ZoteroLibrary) -> None:
    file = library.attachment("storage:a.pdf", library.item("book", "BOOK0001", title="T"))
    for order in ("00003|000000|00000", "00001|000009|00000", "00001|000001|00000"):
        library.annotation(file, text=order, order=order)
    texts = [one.text for one in read(library)["BOOK0001"].annotations]
    assert texts == sorted(texts)


def test_trash_hides_what_is_below(library: ZoteroLibrary) -> None:
    item = library.item("book", "BOOK0001", title="T")
    file, gone = library.attachment("storage:a.pdf", item, "FILE0001"), library.attachment("storage:b.pdf", item)
    library.annotation(file, text="kept")
    deleted = library.annotation(file, text="deleted")
    library.annotation(gone, text="below a deleted file")
    note = library.note("<p>deleted</p>", item)
    trashed = library.item("book", "BOOK0002", title="Trashed")
    library.note("<p>below a deleted item</p>", trashed)
    library.annotation(library.attachment("storage:c.pdf", trashed), text="two below a deleted item")
    library.trash(gone, deleted, note, trashed)
    (record,) = read(library).values()
    assert [one.id for one in record.attachments] == ["FILE0001"]
    assert [one.text for one in record.annotations] == ["kept"]
    assert record.notes == ()


def test_children_of_a_group_item_have_ids_and_links_of_the_group(library: ZoteroLibrary) -> None:
    group = library.group(99, "Circle")
    item = library.item("book", "BOOK0001", group, title="T")
    library.note("<p>hm</p>", item, "NOTE0001", library=group)
    file = library.attachment("storage:a.pdf", item, "FILE0001", library=group)
    library.annotation(file, key="ANNO0001", library=group)
    record = read(library)["99/BOOK0001"]
    assert record.notes == (
        Note("99/NOTE0001", "hm", "", "zotero://select/groups/99/items/NOTE0001", "2025-03-04 05:06:07"),
    )
    assert record.attachments[0].link == "zotero://open-pdf/groups/99/items/FILE0001?page={page}"
    (annotation,) = record.annotations
    assert (annotation.id, annotation.attachment) == ("99/ANNO0001", "99/FILE0001")
    assert annotation.link == "zotero://open-pdf/groups/99/items/FILE0001?annotation=ANNO0001&page=1"
