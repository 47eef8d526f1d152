import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
import requests

from pincite.errors import PinciteError, UsageError
from pincite.testing import SourceKit
from pincite_zotero_api.account import Account
from pincite_zotero_api.asking import Asking
from pincite_zotero_api.source import ZoteroApi, _place

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text("utf-8"))


class Recorded(BaseHTTPRequestHandler):
    """Answers as the API does: pages of a list, `Link: rel="next"`, `Total-Results`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlparse(self.path)
        if self.server.script:
            self.answer(*self.server.script.pop(0))
            return
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

    def answer(self, status, headers, body):
        self.server.asked.append((self.command, self.path, self.headers.get("Authorization")))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "Connection": "close", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Recorded)
    made.asked, made.page, made.script = [], 3, []
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
    assert (mark.attachment, mark.text, mark.comment) == ("FFFF7777", "light reaches the floor", "compare")


def test_a_file_and_a_mark_open_at_their_page(records):
    (file,), (mark,) = records["AAAA2222"].attachments, records["AAAA2222"].annotations
    assert file.link == "zotero://open-pdf/groups/7/items/FFFF7777?page={page}"
    assert (mark.page, mark.page_label) == (3, "iii")
    assert mark.link == "zotero://open-pdf/groups/7/items/FFFF7777?annotation=GGGG8888&page=3"
    assert mark.anchor == '{"kind":"zotero","position":{"pageIndex":2,"rects":[[10,20,30,40]]}}'


def test_the_metadata_of_an_item(records):
    item = records["AAAA2222"].item
    assert (item.title, item.year, item.kind, item.doi) == (
        "Kelp forests after the storm",
        2018,
        "article-journal",
        "10.5555/kelp",
    )
    assert [creator.name for creator in item.creators] == ["Ada Okafor", "Guild of Divers"]
    assert (item.tags, item.collections) == (("ocean",), ("Sea/Coast",))
    assert item.group == "Divers"
    bells = records["BBBB3333"].item
    assert (bells.kind, bells.venue, bells.key) == ("paper-conference", "Glockentage", "brandt1999")
    assert item.link == "zotero://select/groups/7/items/AAAA2222"


def test_a_file_in_the_cloud_is_missing_and_a_note_by_itself_is_an_item(records):
    assert "is not on this machine" in records["BBBB3333"].attachments[0].missing
    assert [note.text for note in records["CCCC4444"].notes] == ["A note by itself."]
    assert records["CCCC4444"].item.title == "A note by itself."


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
    for text, said in (
        (
            'library = 7\nurl = "http://127.0.0.1:9/api"\n',
            "Zotero does not answer: it cannot be reached; is the desktop running?",
        ),
        (f'library = 8\nurl = "http://127.0.0.1:{server.server_port}/api"\n', "the library of user 8 is not there; "),
    ):
        path.write_text(text)
        with pytest.raises(PinciteError, match=said) as caught:
            list(ZoteroApi(path).records())
        assert "\n" not in str(caught.value)


LIST = json.dumps(RECORDED["items"][:1]).encode()
BUSY = (503, {"Retry-After": "7"}, b"")
CHANGED = (200, {"Total-Results": "2"}, LIST), (200, {"Total-Results": "2"}, b"[]")


@pytest.mark.parametrize(
    ("script", "waited"),
    [
        ([(429, {"Retry-After": "5"}, b""), BUSY], [5, 7]),
        ([(429, {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, b"")], [0]),
        ([(500, {}, b"<html>"), (502, {}, b"")], [1, 2]),
        ([(200, {"Content-Length": "9999"}, LIST[:40])], [1]),
        ([*CHANGED, *CHANGED], []),
    ],
)
def test_what_passes_is_waited_for(tmp_path, server, monkeypatch, script, waited):
    waits = []
    monkeypatch.setattr("pincite_zotero_api.asking.sleep", waits.append)
    server.script[:] = script
    assert len(list(ZoteroApi(account(tmp_path, server)).records())) == 3
    assert (waits, server.script) == (waited, [])


def test_a_server_that_asks_for_rest_between_answers_gets_it(tmp_path, server, monkeypatch):
    waits = []
    monkeypatch.setattr("pincite_zotero_api.asking.sleep", waits.append)
    server.script[:] = [(200, {"Total-Results": "1", "Backoff": "9"}, LIST)]
    assert len(list(ZoteroApi(account(tmp_path, server)).records())) == 1
    assert waits == [9]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ([(429, {"Retry-After": "3600"}, b"")], "asks to be left alone for 3600 s; index again after that"),
        ([(200, {"Content-Length": "9999"}, LIST[:40])] * 4, "it hangs up in the middle"),
        ([BUSY] * 4, "Zotero answers 503 .*; index again later"),
        ([(403, {}, b"Forbidden")], "switch on Settings > Advanced"),
        (
            [(302, {"Location": "http://elsewhere.test/items"}, b"")],
            "is sent on to elsewhere.test, which was not asked",
        ),
        ([(200, {}, b'{"error": "no"}')], "gave no list in JSON"),
        ([(200, {}, b"[1]")], "gave no list in JSON"),
        ([(200, {}, LIST[:40])], "gave no list in JSON"),
        ([(200, {"Total-Results": "9"}, LIST), (200, {"Total-Results": "9"}, b"[]")] * 3, "change while they are read"),
    ],
)
def test_a_list_that_is_not_whole_is_an_error_of_one_line(tmp_path, server, monkeypatch, script, said):
    monkeypatch.setattr("pincite_zotero_api.asking.sleep", lambda seconds: None)
    del server.asked[:]
    server.script[:] = script
    with pytest.raises(PinciteError, match=said) as caught:
        list(ZoteroApi(account(tmp_path, server)).records())
    assert "\n" not in str(caught.value)
    assert (len(server.asked), server.script) == (len(script), [])


@pytest.mark.parametrize(
    ("status", "key", "said"),
    [
        (403, "k-123", "the key in CIRCLE_KEY may not read the library of group 7; give it that right"),
        (403, "", "the library of group 7 is private; make a key"),
        (404, "", "the library of group 7 is not there"),
    ],
)
def test_a_refusal_of_the_web_says_what_helps(status, key, said):
    response = requests.Response()
    response.status_code = status
    named = Account(library=7, type="group", key_env="CIRCLE_KEY" if key else "")
    assert said in str(Asking(named, key)._refused(response))


def test_no_password_is_taken_from_elsewhere(tmp_path, server, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ada password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    del server.asked[:]
    list(ZoteroApi(account(tmp_path, server)).records())
    assert {key for _, _, key in server.asked} == {None}


@pytest.mark.parametrize(
    ("changes", "path", "missing"),
    [
        ({"links": {"enclosure": {"href": "file:///C:/Zotero/kelp.pdf"}}}, "", "C:/Zotero/kelp.pdf is a Windows path"),
        ({"linkMode": "linked_url", "url": "https://kelp.test/"}, "", "a linked URL"),
        ({"links": "none", "filename": "kelp.pdf"}, "", "kelp.pdf is not on this machine"),
        ({"path": "/papers/kelp.pdf"}, "/papers/kelp.pdf", ""),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths of another system")
def test_where_a_file_is(changes, path, missing):
    links = changes.pop("links", {})
    found, why = _place({"links": links, "data": {"key": "FFFF7777", **changes}})
    assert found == path
    assert missing in why


def test_what_is_in_the_trash_is_left_out_and_an_odd_entry_does_no_harm(tmp_path, server):
    entries = [
        {"data": {"key": "A", "itemType": "book", "title": "gone", "deleted": 1}},
        {"data": {"key": "B", "itemType": "note", "note": "of what is gone", "parentItem": "A"}},
        {"data": {"key": "C", "itemType": 3, "title": ["x"], "creators": "Ada", "tags": [1], "collections": {"a": 1}}},
        {"data": {"key": "D", "itemType": "attachment", "title": "kelp.pdf", "filename": "kelp.pdf"}},
        {"data": {"key": "E", "itemType": "attachment", "parentItem": "C", "linkMode": "embedded_image"}},
        {"data": None},
    ]
    server.script[:] = [(200, {"Total-Results": "6"}, json.dumps(entries).encode())]
    problem, odd, file = ZoteroApi(account(tmp_path, server)).records()
    assert "without a key" in problem.reason
    assert (odd.item.id, odd.item.title, odd.attachments) == ("C", "", ())
    assert (file.item.title, file.attachments[0].id) == ("", "D-self")


@pytest.mark.parametrize(
    "text",
    [
        'url = "localhost:23119/api"',
        'url = "ftp://x.test"',
        'url = "https://ada:secret@x.test"',
        'url = "http://[x"',
        'url = "https://x.test/?key=1"',
        'url = "http://x.test"\nkey_env = "K"',
    ],
)
def test_an_address_that_cannot_be_meant_is_a_usage_error_that_repeats_no_secret(tmp_path, text):
    path = tmp_path / "x.zotero-api"
    path.write_text(f"library = 7\n{text}\n")
    with pytest.raises(UsageError, match="'url': ") as caught:
        ZoteroApi(path)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["library = 'x'", "library = -1", "lib = 1", "library =", "library = 1\ntype = 'both'"]
)
def test_a_file_that_says_something_else_is_a_usage_error(tmp_path, text):
    path = tmp_path / "x.zotero-api"
    path.write_text(text)
    with pytest.raises(UsageError):
        ZoteroApi(path)
