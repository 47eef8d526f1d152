"""Databases whose pages carry checksums (specs/03-store.md)."""

import time

import pytest

from pincite.storage import checked


def _write_and_wait(path):
    checked.connect(path).execute("CREATE TABLE tide(height)")
    time.sleep(30)


def test_an_interruption_where_sqlite_takes_no_error_comes_again(tmp_path, monkeypatch, capsys):
    interrupted = []

    def characteristics(file):
        if not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt
        return 0

    monkeypatch.setattr(checked._CheckedFile, "xDeviceCharacteristics", characteristics)
    with pytest.raises(KeyboardInterrupt):
        _write_and_wait(tmp_path / "a.db")
    assert interrupted
    assert capsys.readouterr().err == ""
