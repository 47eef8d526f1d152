"""Any file is a safe input: records, problems, or an error in one line (specs/16-sources.md, "Refusals")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import PinciteError
from pincite.spec import Context
from pincite.values.library import Problem, Record, to_json
from pincite_plugins.sources.bibtex import BibtexSettings, open_bibtex

LINES = st.sampled_from(
    [
        "TY  - JOUR",
        "ER  - ",
        "AU  - Moss, Ada",
        "AU  - ,",
        "PY  - 19",
        "DA  - //",
        "L1  - internal-pdf://",
        "L1  - ;;",
        "UR  - ;",
        "XX  - ?",
        "N1  -",
        "SN  - 1",
        "PMID- 5",
        "PMID-",
        "DP  - 1998 Xyz",
        "FAU -",
        "      goes on",
        "PT J",
        "AU Moss, A",
        "   Fern, B",
        "PD JUN 8",
        "PY x",
        "ER",
        "EF",
        "@book{a,",
        "title = {x",
        "}",
        "file = {:::;;:}",
        "author = { and , , and {}",
        "@comment{jabref-meta: grouping:",
        "1 StaticGroup:;",
        "@comment{jabref-meta: fileDirectory:;}",
        "",
        "\ufeff",
        "é",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 3000) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "type", "title", "author", "issued", "date-parts", "family", "items", "file", "note", "keyword"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def check(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        found = list(open_bibtex(BibtexSettings(), Context(home=path.parent, library=path)).records())
    except PinciteError as error:
        if "\n" in str(error):
            raise AssertionError(str(error)) from None
        return
    ids = []
    for one in found:
        assert isinstance(one, Record | Problem)
        to_json(one).encode()
        if isinstance(one, Record):
            ids.append(one.item.id)
    assert ids == sorted(set(ids))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any")


@given(lines=st.lists(LINES, max_size=25), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_of_all_formats_in_any_order(folder: Path, lines: list[str], end: str) -> None:
    check(folder / "any.ris", end.join(lines).encode())


@given(data=st.binary(max_size=300))
def test_any_bytes(folder: Path, data: bytes) -> None:
    check(folder / "any.bib", data)


@given(value=st.lists(JSON, max_size=4))
def test_any_json(folder: Path, value: list[object]) -> None:
    check(folder / "any.json", json.dumps(value).encode())
