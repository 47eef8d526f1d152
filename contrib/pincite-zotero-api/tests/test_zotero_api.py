import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from pincite.errors import PinciteError, UsageError
from pincite.testing import SourceKit
from pincite_zotero_api import ZoteroApi

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text("utf-8"))


class Recorded(BaseHTTPRequestHandler):
    """Answers as the API does: pages of a list, `Link: rel="next"`, `Total-Results`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlparse(self.path)
        self.server.asked.append((self.command, self.path, self.headers.get("Authorization")))
        found = RECORDED.get(url.path.rpartition("/")[2]) if url.path.startswith("/api/groups/7/") else None
        query = parse_qs(url.query)
        start, limit = int(query.get("start", ["0"])[0]), min(int(query.get("limit", ["25"])[0]), self.server.page)
        body = json.dumps(found[start : start + limit] if found is not None else "Not found").encode()
        self.send_response(200 if found is not None else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified-Version", "12")
        if found is not None:
            self.send_header("Total-Results", str(len(found)))
            if start + limit < len(found):
                port = self.server.server_port
                self.send_header(
                    "Link", f'<http://127.0.0.1:{port}{url.path}?start={start + limit}&limit={limit}>; rel="next"'
                )
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Recorded)
    made.asked, made.page = [], 3
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


def account(folder, server, more=""):
    path = folder / "circle.zotero-api"
    path.write_text(f'library = 7\ntype = "group"\nurl = "http://127.0.0.1:{server.server_port}/api"\n{more}', "utf-8")
    return path


class TestZoteroApi(SourceKit):
    name = "zotero-api"

    @pytest.fixture(autouse=True)
    def _served(self, server):
        self.server = server

    def library(self, folder):
        return account(folder, self.server)


@pytest.fixture
def records(tmp_path, server):
    return {record.item.id: record for record in ZoteroApi(account(tmp_path, server)).records()}


def test_every_page_is_read_and_children_stand_below_their_item(records):
    assert sorted(records) == ["AAAA2222", "BBBB3333", "CCCC4444"]
    kelp = records["AAAA2222"]
    assert [note.text for note in kelp.notes] == ["Ask Ada about the urchins."]
    assert [file.path for file in kelp.attachments] == ["/home/ada/Zotero/storage/FFFF7777/Kelp forests.pdf"]
    (mark,) = kelp.annotations
    assert (mark.attachment, mark.text, mark.comment, mark.page_label) == (
        "FFFF7777",
        "light reaches the floor",
        "compare",
        "iii",
    )


def test_the_metadata_of_an_item(records):
    item = records["AAAA2222"].item
    assert (item.title, item.year, item.kind, item.doi) == (
        "Kelp forests after the storm",
        2018,
        "article-journal",
        "10.5555/kelp",
    )
    assert [creator.name for creator in item.creators] == ["Ada Okafor", "Guild of Divers"]
    assert (item.tags, item.collections) == (("ocean",), ("Coast",))
    assert item.link == "zotero://select/groups/7/items/AAAA2222"


def test_a_file_in_the_cloud_is_missing_and_a_note_by_itself_is_an_item(records):
    assert "is not on this machine" in records["BBBB3333"].attachments[0].missing
    assert [note.text for note in records["CCCC4444"].notes] == ["A note by itself."]


def test_only_get_is_used_and_the_key_goes_where_it_belongs(tmp_path, server, monkeypatch):
    monkeypatch.setenv("CIRCLE_KEY", "k-123")
    del server.asked[:]
    list(ZoteroApi(account(tmp_path, server, 'key_env = "CIRCLE_KEY"\n')).records())
    assert {method for method, _, _ in server.asked} == {"GET"}
    assert {key for _, _, key in server.asked} == {"Bearer k-123"}
    assert not any("k-123" in path for _, path, _ in server.asked)


def test_a_key_that_is_not_set_is_named(tmp_path, server, monkeypatch):
    monkeypatch.delenv("CIRCLE_KEY", raising=False)
    with pytest.raises(PinciteError, match="the variable CIRCLE_KEY is not set"):
        list(ZoteroApi(account(tmp_path, server, 'key_env = "CIRCLE_KEY"\n')).records())


def test_a_server_that_is_not_there_and_a_library_that_is_not_there_are_one_line(tmp_path, server):
    path = tmp_path / "x.zotero-api"
    for text in (
        'library = 7\nurl = "http://127.0.0.1:9/api"\n',
        f'library = 8\nurl = "http://127.0.0.1:{server.server_port}/api"\n',
    ):
        path.write_text(text)
        with pytest.raises(PinciteError, match="Zotero does not answer") as caught:
            list(ZoteroApi(path).records())
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["library = 'x'", "lib = 1", "library =", "library = 1\ntype = 'both'"])
def test_a_file_that_says_something_else_is_a_usage_error(tmp_path, text):
    path = tmp_path / "x.zotero-api"
    path.write_text(text)
    with pytest.raises(UsageError):
        ZoteroApi(path)
