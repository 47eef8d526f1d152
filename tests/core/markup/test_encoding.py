"""Bytes → text."""

from __future__ import annotations

import pytest

from pincite.markup.encoding import codec_name, decode

GERMAN = "Die Müllerin prüfte die Größe der Brötchen für süße Gäste. „Schön“, sagte sie – über alle Maßen."
FRENCH = "L’été dernier, l’élève a été reçu à l’école : cœur léger, façade fraîche, où l’hôte rêvait."
RUSSIAN = "Крабы верхнего берега кормятся во время прилива и прячутся под камнями, когда вода уходит."
JAPANESE = "海岸の蟹は潮が満ちると餌を食べ、潮が引くと石の下に隠れる。それは十一日のあいだ続いた。"
CHINESE = "海边的螃蟹在涨潮的时候出来吃东西，退潮的时候就躲在石头下面，这是我们在水里看到的。"
TRADITIONAL = "海邊的螃蟹在漲潮的時候出來吃東西，退潮的時候就躲在石頭下面，這是我們在水裡看到的。"
KOREAN = "바닷가의 게는 밀물 때에 먹이를 먹고 썰물 때에는 돌 밑에 숨는다. 열하루 동안 계속되었다."
GREEK = "Τα καβούρια της ακτής τρέφονται στην πλημμυρίδα και κρύβονται κάτω από τις πέτρες."
POLISH = "Kraby żywią się w czasie przypływu, a potem chowają się pod kamieniami; źródło łąki, gęś."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (KOREAN, "cp949"),
        (GREEK, "cp1253"),
        (POLISH, "cp1250"),
    ],
)
def test_an_old_encoding_is_recognised_by_its_text(text, encoding):
    found, _ = decode(text.encode(encoding))
    assert found == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_unicode_is_recognised_with_and_without_its_mark(encoding):
    assert decode(GERMAN.encode(encoding))[0] == GERMAN


def test_a_declared_encoding_is_believed_unless_the_bytes_contradict_it():
    assert decode(RUSSIAN.encode("koi8-r"), "KOI8-R")[0] == RUSSIAN
    assert decode(GERMAN.encode("utf-8"), "ascii")[0] == GERMAN
    assert decode(CHINESE.encode("gb18030"), "gb2312")[0] == CHINESE
    assert decode(GERMAN.encode("utf-8"), "utf-16")[0] == GERMAN
    assert decode(GERMAN.encode("utf-8"), "no-such-encoding")[0] == GERMAN


def test_latin_1_on_the_web_is_windows_1252():
    assert codec_name("ISO-8859-1") == "cp1252"
    assert decode("“tide” – ebb".encode("cp1252"), "iso-8859-1")[0] == "“tide” – ebb"


def test_utf_8_with_a_damaged_character_stays_utf_8():
    data = (GERMAN * 3).encode()[:-1] + b"\xff tide"
    text, encoding = decode(data)
    assert encoding == "utf-8"
    assert text.startswith(GERMAN)


def test_one_accent_in_a_plain_text_is_another_encoding_s_and_no_damage():
    text = "We met at the café by the harbour, and spoke of tides until the lamps were lit."
    assert decode(text.encode("latin-1")) == (text, "cp1252")


def test_a_file_cut_within_its_only_character_stays_utf_8():
    assert decode(b"We met at the caf" + "é".encode()[:1]) == ("We met at the caf\ufffd", "utf-8")


def test_labels_that_decode_no_text_are_none():
    assert codec_name("hex") == ""
    assert codec_name("") == ""
