"""specs/04-packs.md, "The file"."""

import dataclasses
import os
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.packs import PackDamaged, PackTooNew, read_facts, read_pack, read_text, write_pack
from pincite.packs.layout import HEADER, HEADER_CRC
from pincite.values.pack import (
    Block,
    BlockKind,
    EmbeddedAnnotation,
    Flow,
    Health,
    Pack,
    Page,
    Places,
    Run,
    Section,
)

TEXT = st.text(st.characters(codec=None), max_size=400)


def same(a: Pack, b: Pack) -> bool:
    for field in dataclasses.fields(Pack):
        one, two = getattr(a, field.name), getattr(b, field.name)
        if isinstance(one, Places):
            arrays = [(getattr(one, f.name), getattr(two, f.name)) for f in dataclasses.fields(Places)]
            if not all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in arrays):
                return False
        elif one != two:
            return False
    return True


def long_pack() -> Pack:
    words = [f"wört{at} " for at in range(30_000)]
    starts = np.cumsum([0, *map(len, words)])[:-1].astype(np.int32)
    count = len(words)
    box = np.random.default_rng(1).uniform(0, 800, (count, 4)).astype(np.float32)
    return Pack(
        format="pdf",
        text="".join(words),
        blocks=tuple(
            Block(
                at * 100,
                at * 100 + 99,
                BlockKind.LIST,
                Flow.AUXILIARY,
                at % 7 - 1,
                at % 40 + 1,
                at % 2 == 0,
                "abstract",
            )
            for at in range(2_500)
        ),
        sections=(Section("Ärger — 一", 1, -1), Section("\ud800", 2, 0)),
        pages=(Page(1, "xii", 595.5, 842.25, Health.POOR, "odd"), Page(2)),
        places=Places(
            starts,
            starts + np.array([len(word) - 1 for word in words], dtype=np.int32),
            np.repeat(np.arange(1, 31), 1000).astype(np.int32),
            (np.arange(count) // 9).astype(np.int32),
            box,
        ),
        metadata={"title": "Ein Titel"},
        annotations=(
            EmbeddedAnnotation("highlight", "marked", "why", 2, None, ((2, 1.5, 2.0, 3.25, 4.0),), "#ffee00"),
        ),
        extractor="pdf",
        extractor_version=3,
        source_hash="0f" * 16,
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=TEXT, targets=st.lists(st.text(max_size=8), max_size=5), repeat=st.integers(1, 400))
def test_any_text_and_any_runs_come_back(tmp_path, text, targets, repeat):
    runs = tuple(Run(at, at + 1, target, at * 3) for at, target in enumerate(targets))
    pack = Pack("html", text * repeat, blocks=(), runs=runs)
    write_pack(tmp_path / "a.pack", pack)
    assert same(read_pack(tmp_path / "a.pack"), pack)


def test_a_long_pack_comes_back_whole(tmp_path):
    pack = long_pack()
    write_pack(tmp_path / "a.pack", pack)
    assert same(read_pack(tmp_path / "a.pack"), pack)


def test_the_same_pack_gives_the_same_bytes(tmp_path):
    write_pack(tmp_path / "a.pack", long_pack())
    write_pack(tmp_path / "b.pack", long_pack())
    assert (tmp_path / "a.pack").read_bytes() == (tmp_path / "b.pack").read_bytes()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, 260_000), st.integers(0, 70_000)), max_size=4))
def test_spans_are_read_without_the_rest(tmp_path, spans):
    path, pack = tmp_path / "a.pack", long_pack()
    if not path.exists():
        write_pack(path, pack)
    wanted = [(start, start + length) for start, length in spans]
    assert read_text(path, wanted) == [pack.text[start:end] for start, end in wanted]


def test_one_part_is_read_although_another_is_damaged(tmp_path):
    path, pack = tmp_path / "a.pack", long_pack()
    write_pack(path, pack)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1  # the last part holds places
    path.write_bytes(data)
    assert read_text(path, [(0, 50)]) == [pack.text[:50]]
    with pytest.raises(PackDamaged):
        read_pack(path)


def test_the_facts_are_read_alone(tmp_path):
    write_pack(tmp_path / "a.pack", long_pack())
    facts = read_facts(tmp_path / "a.pack")
    assert (facts.extractor, facts.extractor_version, facts.source_hash) == ("pdf", 3, "0f" * 16)
    assert (facts.pages, facts.metadata) == (2, {"title": "Ein Titel"})


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.3, 0.6, 0.999])
def test_a_flipped_bit_anywhere_is_noticed(tmp_path, share):
    path = tmp_path / "a.pack"
    write_pack(path, long_pack())
    data = bytearray(path.read_bytes())
    data[int(share * len(data))] ^= 0x10
    path.write_bytes(data)
    with pytest.raises(PackDamaged) as caught:
        read_pack(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("length", [0, 4, 30, 61, 5_000])
def test_a_file_cut_short_is_noticed(tmp_path, length):
    path = tmp_path / "a.pack"
    write_pack(path, long_pack())
    path.write_bytes(path.read_bytes()[:length])
    for read in (read_pack, read_facts, lambda p: read_text(p, [(0, 5)])):
        with pytest.raises(PackDamaged):
            read(path)


@pytest.mark.parametrize(("at", "value"), [(8, 2), (10, 2)])
def test_a_later_container_or_schema_is_refused_by_name(tmp_path, at, value):
    import zlib

    path = tmp_path / "a.pack"
    write_pack(path, long_pack())
    data = bytearray(path.read_bytes())
    data[at : at + 2] = struct.pack("<H", value)
    data[HEADER.size : HEADER.size + HEADER_CRC.size] = struct.pack("<I", zlib.crc32(data[: HEADER.size]))
    path.write_bytes(data)
    with pytest.raises(PackTooNew, match="newer"):
        read_pack(path)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.pack"
    write_pack(path, Pack("text", "old", ()))

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write_pack(path, Pack("text", "new", ()))
    assert read_pack(path).text == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.pack"]
