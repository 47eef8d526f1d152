"""Works and their texts as resources (specs/29-mcp.md, "Resources")."""

import json

import pytest
from mcp import MCPError

from pincite.item_text import BREAK
from pincite.values.pack import Flow
from pincite_plugins.services.mcp.parts import PART, item_uri, parts_of


@pytest.fixture
def read(client):
    def call(uri):
        (content,) = client("read_resource", uri).contents
        assert content.mime_type == "application/json"
        return json.loads(content.text)

    return call


def test_every_work_is_listed(client, library):
    listed = client("list_resources")
    assert listed.next_cursor is None
    assert [one.uri for one in listed.resources] == [item_uri(id) for id in sorted(library.store.fingerprints())]
    assert {one.uri_template for one in client("list_resource_templates").resource_templates} == {
        "pincite://item/{item}",
        "pincite://item/{item}/text/{part}",
    }


def test_a_work_says_what_it_is_made_of(client, read):
    works = [read(one.uri) for one in client("list_resources").resources]
    (booklet,) = [work for work in works if work["key"] == "halvorsen2022"]
    assert "instructions" in booklet["notice"]
    assert booklet["abstract"]["quoted_text"].startswith("Forty nights")
    assert booklet["tags"]
    assert booklet["files"][0]["headings"]


def test_its_parts_are_its_whole_text_in_order(client, read, library):
    store = library.store
    row = store.find_item(library.search("why is it warm at night").hits[0].item.id)
    record = store.records([row])[row]
    uri = f"{item_uri(record.item.id)}/text/1"
    texts = []
    while uri:
        part = read(uri)
        assert sum(len(block["quoted_text"]) for block in part["blocks"]) <= PART
        texts += [block["quoted_text"] for block in part["blocks"]]
        uri = part["next"]
    packs = [store.pack(attachment.id) for attachment in record.attachments]
    blocks = [pack.text[one.start : one.end] for pack in packs for one in pack.blocks if one.flow is not Flow.EXCLUDED]
    assert BREAK.join(texts) == BREAK.join(blocks)
    assert len(texts) == sum(len(part) for pack in packs for part in parts_of(pack))


@pytest.mark.parametrize(
    ("uri", "line"),
    [
        ("pincite://item/nobody1901", "nobody1901: no work"),
        ("pincite://item/halvorsen2022/text/0", "has no part 0"),
        ("pincite://item/halvorsen2022/text/999", "has no part 999"),
        ("file:///etc/passwd", "no resource has this address"),
    ],
)
def test_what_is_not_there_is_an_error(client, uri, line):
    with pytest.raises(MCPError, match=line):
        client("read_resource", uri)


def test_a_cursor_that_was_not_given_is_an_error(client):
    with pytest.raises(MCPError, match="cursor"):
        client("list_resources", cursor="there")
