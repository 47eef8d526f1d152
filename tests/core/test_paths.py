"""What the system refuses is told as that, with what to do (specs/13-exit-codes.md)."""

import errno
import os

import pytest

import pincite
from pincite.cli import main
from pincite.config.load import load
from pincite.errors import PinciteError, UsageError, cannot_be
from pincite.paths import stands


@pytest.fixture
def shut(tmp_path, monkeypatch):
    """A folder that the system lets nobody into; whoever runs the tests may be let in anywhere."""
    folder = tmp_path / "shut"
    folder.mkdir()
    (folder / "zotero.sqlite").touch()

    def guarded(real):
        def call(path, *more, **given):
            inside = str(path).startswith(str(folder) + os.sep)
            if inside or (real is scandir and str(path) == str(folder)):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return real(path, *more, **given)

        return call

    scandir = os.scandir
    for name in ("lstat", "stat", "scandir"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))
    return folder


def test_what_stands_somewhere(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    there = {name: stands(tmp_path / name) for name in ("file", "dangling", "nothing", "file/below", "a\0b")}
    assert there == {"file": True, "dangling": True, "nothing": False, "file/below": False, "a\0b": False}


def test_no_file_has_a_nul_in_its_name(tmp_path):
    (tmp_path / "pincite.toml").write_text("[libraries.papers]\npath = 'papers'\n", "utf-8")
    with pytest.raises(UsageError, match="no such file or folder, and no library of that name"):
        pincite.open("pa\0pers", config=tmp_path / "pincite.toml")


@pytest.mark.parametrize("below", ["", "zotero.sqlite", "papers/works.bib"])
def test_a_library_that_may_not_be_looked_at_is_not_taken_for_another_kind_nor_for_none(shut, below):
    with pytest.raises(PinciteError, match=r"cannot be read \(Permission denied\); check its permissions"):
        pincite.open(shut / below).source()


@pytest.mark.parametrize("named", [True, False])
def test_a_configuration_that_may_not_be_looked_at_is_named(shut, named):
    with pytest.raises(
        PinciteError, match=r"pincite.toml: cannot be read \(Permission denied\); check its permissions"
    ):
        load(shut / "pincite.toml" if named else None, environ={"PINCITE_HOME": str(shut)})


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.EACCES, "check its permissions"), (errno.ENOSPC, "make room"), (errno.EIO, "check its disk")],
)
def test_the_remedy_is_that_of_what_the_system_says(number, remedy):
    assert remedy in str(cannot_be("written", "/x", OSError(number, os.strerror(number))))


@pytest.mark.parametrize(
    ("path", "told"), [("/home/notes", "/home/notes: cannot be used"), (None, "the output: cannot be written")]
)
def test_what_the_system_refuses_is_no_fault_of_pincite(monkeypatch, capsys, path, told):
    def full():
        raise OSError(errno.ENOSPC, "No space left on device", path)

    monkeypatch.setattr(main, "app", full)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 1
    assert capsys.readouterr().err == f"pincite: {told} (No space left on device); make room on its disk\n"
