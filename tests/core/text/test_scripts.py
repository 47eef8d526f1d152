"""Character classes (specs/14-text-normalisation.md)."""

import unicodedata

from pincite.text.scripts import marks


def test_every_combining_mark_of_this_python_is_in_the_class():
    import re

    inside = re.compile(f"[{marks()}]")
    for code in range(0x0300, 0x1E950):
        assert bool(inside.match(chr(code))) == (unicodedata.category(chr(code))[0] == "M"), hex(code)
