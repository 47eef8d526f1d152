"""Bytes → text: byte order marks, declared names, UTF-8, UTF-16, and the older encodings by what their text looks
like."""

from __future__ import annotations

import codecs
import re
import unicodedata

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# What browsers take a label for (https://encoding.spec.whatwg.org/#names-and-labels): its superset.
_SUPERSETS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "ks_c-5601": "cp949",
    "big5": "big5hkscs",
}

_SINGLE = ("cp12", "cp8", "iso8859", "koi8", "mac")

_SAMPLE = 200_000
"""Bytes that a guess is made from."""


def codec_name(label: str) -> str:
    """Python's codec for a label of a web page or an XML declaration; "" if there is none that decodes text."""
    try:
        name = codecs.lookup(label.strip().strip("\"'")).name
        b"a".decode(name)
    except (LookupError, ValueError, AssertionError, TypeError):
        return ""
    return _SUPERSETS.get(name, name)


def decode(data: bytes, declared: str = "") -> tuple[str, str]:
    """The text of `data` and the encoding it was read with. `declared` is a label found inside the file, if any.

    A byte order mark wins; then the declared encoding, unless the bytes contradict it; then UTF-8; then a guess.
    What no encoding explains becomes U+FFFD. Line ends stay as they are; the byte order mark is not part of the text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name
    wide = _wide(data)
    if wide:
        return data.decode(wide, "replace"), wide
    name = codec_name(declared) if declared else ""
    if name.startswith(("utf-16", "utf-32")):
        name = ""  # the label was readable as ASCII, so this it is not
    # A single-byte encoding takes any bytes, UTF-8 next to none but its own: so UTF-8 is tried first.
    order = ("utf-8", name) if name.startswith(_SINGLE) else (name, "utf-8")
    for attempt in filter(None, order):
        try:
            return data.decode(attempt), attempt
        except UnicodeDecodeError:
            continue
    if _nearly_utf8(data):
        return data.decode("utf-8", "replace"), "utf-8"
    name = name if name and name != "utf-8" else guess(data)
    return data.decode(name, "replace"), name


def _wide(data: bytes) -> str:
    """UTF-16 without its mark: text in most scripts has zero bytes in every other place, and hardly any in the
    others."""
    head = data[:4096]
    if len(head) < 8:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) / 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def _nearly_utf8(data: bytes) -> bool:
    """UTF-8 with a few damaged bytes (a file cut in the middle of a character, a stray byte). Where nothing else speaks for UTF-8, only
    what is cut at the end: one "é" in an English text is more likely another encoding's."""
    sample = data[:_SAMPLE]
    text = sample.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(1 for char in text if char > "\x7f") - wrong
    if not right:
        return wrong == 1 and text.endswith("\ufffd") and len(data) <= _SAMPLE
    return wrong <= max(1, right // 20)


def guess(data: bytes) -> str:
    """The most plausible encoding of text that is not Unicode: each candidate's decoded sample is scored by how much
    of it is common in its own script."""
    sample = data[:_SAMPLE]
    high = sum(1 for byte in sample if byte > 0x7F)
    scores = {name: _score(sample, name, high) for name in _CANDIDATES}
    return max(scores, key=lambda name: scores[name])


_CANDIDATES = ("cp1252", "cp1250", "cp1251", "koi8-r", "cp1253", "cp932", "euc_jp", "gb18030", "big5", "cp949")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
# the commonest characters of modern Chinese, in simplified and in traditional script
_HAN = frozenset(
    "的一是不了在人有我他这中大来上个国和也子时道说出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都"
    "三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从這個來國時說於對著後發會過們為學與種無"
)
# the commonest syllables of Korean, about a third of any text
_HANGUL = frozenset("이다는의가에을를은고하지로사기한어나시인도자리아대서해")
# letters that make up a third of any text in Russian, and in Greek
_VOWELS = {"CYRILLIC": frozenset("оеаи"), "GREEK": frozenset("αειοη")}
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")


def _score(sample: bytes, name: str, high: int) -> float:
    text = sample.decode(name, "replace")
    wrong = len(_CONTROL.findall(text))
    letters = [char for char in text if char > "\x7f"]
    if not letters or not high:
        return -1.0
    n = len(letters)
    penalty = 4.0 * wrong / n
    if name in ("cp932", "euc_jp"):
        return len(_KANA.findall(text)) / n + 0.4 * sum(char in _HAN for char in letters) / n - penalty
    if name in ("gb18030", "big5"):
        return 3.5 * sum(char in _HAN for char in letters) / n + 0.1 * _share(letters, "CJK") - penalty
    if name == "cp949":
        return 2.5 * sum(char in _HANGUL for char in letters) / n - penalty
    if name in ("cp1251", "koi8-r"):
        return _cased(text, "CYRILLIC") - penalty
    if name == "cp1253":
        return _cased(text, "GREEK") - penalty
    return _latin(text, letters) - penalty - (0.05 if name == "cp1250" else 0.0)


def _share(letters: list[str], script: str) -> float:
    return sum(unicodedata.name(char, "").startswith(script) for char in letters[:2000]) / min(len(letters), 2000)


def _cased(text: str, script: str) -> float:
    """Words of one script, in lower case but for the first letter: what the wrong one of two Cyrillic encodings
    never gives."""
    words = re.findall(r"[^\W\d_]{2,}", text)[:4000]
    own = [word for word in words if unicodedata.name(word[0], "").startswith(script)]
    good = sum(len(word) for word in own if word[1:].islower() and unicodedata.name(word[-1], "").startswith(script))
    high = sum(sum(char > "\x7f" for char in word) for word in words)
    if not high:
        return 0.0
    vowels = sum(sum(char in _VOWELS[script] for char in word) for word in own)
    return float(good / high * min(1.0, vowels / high / 0.3))


_LOW = "ß-öø-ÿœšžąęłńśźżčďěňřťůőű"
_ACCENTED = re.compile(rf"(?<=[a-z])[{_LOW}]|[{_LOW}](?=[a-z])|\b[À-ÖØ-ÞŒŠŽ](?=[a-z])")


def _latin(text: str, letters: list[str]) -> float:
    """Accented letters inside words of plain ones, in the case of their neighbours; typographic marks count half."""
    inside = len(_ACCENTED.findall(text))
    marks = sum(char in "“”‘’„–—…«»§°©®€£ºª¿¡·\xa0" for char in letters)
    return (inside + 0.7 * marks) / len(letters)
