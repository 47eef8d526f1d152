"""Files that are there as a whole or not at all."""

import os

import pytest

from pincite.whole import write_whole


@pytest.mark.parametrize(("content", "held"), [("Glocke ü\n", "Glocke ü\n".encode()), (b"\x00\xff", b"\x00\xff")])
@pytest.mark.parametrize("lasting", [False, True])
def test_text_and_bytes_are_written_as_they_are_into_a_folder_that_is_made(tmp_path, content, held, lasting):
    path = tmp_path / "new" / "file"
    write_whole(path, content, lasting=lasting)
    assert path.read_bytes() == held
    assert [one.name for one in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_was_there_before_stays_where_it_cannot_be_written(tmp_path, monkeypatch, fault):
    path = tmp_path / "file"
    write_whole(path, "before")

    def broken(beside, target):
        raise fault

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(type(fault)):
        write_whole(path, "after")
    assert path.read_text("utf-8") == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
