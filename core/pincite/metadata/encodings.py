"""Bytes of a text file of unknown age → text."""

from __future__ import annotations

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8, else UTF-16 where every other byte is zero, else
    Windows-1252 (which holds Latin-1's letters). Nothing raises."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    sample = data[:1000]
    for zeros, encoding in ((sample[1::2], "utf-16-le"), (sample[0::2], "utf-16-be")):
        if len(zeros) > 2 and zeros.count(0) > 0.7 * len(zeros):
            return data.decode(encoding, "replace")
    return data.decode("cp1252", "replace")
