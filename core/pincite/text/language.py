"""The language of a text. specs/20-language.md.

A script that only one language of note writes settles it; the rest is asked of py3langid, which on 1,190
questions a language of XQuAD is right for .982 to .999 in about 0.1 ms each (lingua: .975 to .993, 2 to 26 ms, 900 MB).
"""

from __future__ import annotations

import functools
import threading
from bisect import bisect_right
from typing import Any

SAMPLE = 200
"""Characters that are looked at: a chunk is in one language, and more of it would only cost time."""

_FEWEST_LETTERS = 12
_LEAST_CONFIDENCE = 0.2

# Unicode blocks (Blocks.txt) whose letters give the language away: (first, last, code).
_BLOCKS = (
    (0x0370, 0x03FF, "el"),
    (0x0530, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"),
    (0x0A00, 0x0A7F, "pa"),
    (0x0A80, 0x0AFF, "gu"),
    (0x0B00, 0x0B7F, "or"),
    (0x0B80, 0x0BFF, "ta"),
    (0x0C00, 0x0C7F, "te"),
    (0x0C80, 0x0CFF, "kn"),
    (0x0D00, 0x0D7F, "ml"),
    (0x0D80, 0x0DFF, "si"),
    (0x0E00, 0x0E7F, "th"),
    (0x0E80, 0x0EFF, "lo"),
    (0x1000, 0x109F, "my"),
    (0x10A0, 0x10FF, "ka"),
    (0x1100, 0x11FF, "ko"),
    (0x1200, 0x137F, "am"),
    (0x1780, 0x17FF, "km"),
    (0x3040, 0x30FF, "ja"),
    (0x31F0, 0x31FF, "ja"),
    (0x3400, 0x4DBF, "zh"),
    (0x4E00, 0x9FFF, "zh"),
    (0xAC00, 0xD7A3, "ko"),
    (0xF900, 0xFAFF, "zh"),
    (0xFF66, 0xFF9F, "ja"),
    (0x20000, 0x3FFFF, "zh"),
)
_STARTS = [first for first, _, _ in _BLOCKS]


def language(text: str) -> str:
    """The ISO 639-1 code of the language that a text is in, or "" where it cannot be told (too short, no letters)."""
    sample = text[:SAMPLE]
    letters = sum(map(str.isalpha, sample))
    if not letters:
        return ""
    if not sample.isascii() and (code := _by_script(sample, letters)):
        return code
    if letters < _FEWEST_LETTERS:
        return ""
    code, confidence = _identifier().classify(sample.lower())
    return code if len(code) == 2 and confidence >= _LEAST_CONFIDENCE else ""


def _by_script(sample: str, letters: int) -> str:
    """The language whose script most letters are of. Han beside kana is Japanese; a Han letter weighs more
    than a Latin one."""
    counts: dict[str, int] = {}
    for char in sample:
        code = ord(char)
        if code >= 0x370 and char.isalpha():
            index = bisect_right(_STARTS, code) - 1
            if index >= 0 and code <= _BLOCKS[index][1]:
                counts[_BLOCKS[index][2]] = counts.get(_BLOCKS[index][2], 0) + 1
    if not counts:
        return ""
    if 20 * counts.get("ja", 0) > counts.get("zh", 0):
        counts["ja"] = counts.get("ja", 0) + counts.pop("zh", 0)
    best = max(counts, key=lambda code: (counts[code], code))
    least = 0.3 if best in ("zh", "ja") else 0.5
    return best if counts[best] >= least * letters else ""


def load_ahead() -> None:
    """Begins to load the model, for who will ask soon: most of it is unpacking, which takes no turn from other threads."""
    threading.Thread(target=_identifier, name="pincite-language", daemon=True).start()


_loading = threading.Lock()


def _identifier() -> Any:
    with _loading:
        return _loaded()


@functools.cache
def _loaded() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # 0.5 s and 60 MB: only for who asks

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
