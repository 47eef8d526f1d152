"""A language as libraries name it ("en-US", "eng", "German", "deutsch") → ISO 639-1."""

from __future__ import annotations

import re

# ISO 639-1: ISO 639-2/T, ISO 639-2/B where it differs, English name, the language's own name
_TABLE = """
af afr afrikaans|ar ara arabic العربية|bg bul bulgarian български|bn ben bengali|ca cat catalan català
cs ces cze czech čeština|cy cym wel welsh cymraeg|da dan danish dansk|de deu ger german deutsch ngerman
el ell gre greek ελληνικά|en eng english american british|es spa spanish español espanol castilian
et est estonian eesti|eu eus baq basque euskara|fa fas per persian farsi|fi fin finnish suomi
fr fra fre french français francais|ga gle irish gaeilge|gl glg galician galego|he heb hebrew עברית
hi hin hindi हिन्दी|hr hrv croatian hrvatski|hu hun hungarian magyar|hy hye arm armenian|id ind indonesian
is isl ice icelandic íslenska|it ita italian italiano|ja jpn japanese 日本語|ka kat geo georgian
ko kor korean 한국어|la lat latin latina|lt lit lithuanian lietuvių|lv lav latvian|mk mkd mac macedonian
ms msa may malay|nl nld dut dutch nederlands|no nor norwegian norsk|nb nob|nn nno|pl pol polish polski
pt por portuguese português portugues brazilian|ro ron rum romanian română|ru rus russian русский
sk slk slo slovak|sl slv slovene slovenian|sq sqi alb albanian|sr srp serbian|sv swe swedish svenska
ta tam tamil|te tel telugu|th tha thai ไทย|tr tur turkish türkçe|uk ukr ukrainian українська|ur urd urdu
vi vie vietnamese|zh zho chi chinese 中文 mandarin
"""
_CODES = {name: words[0] for entry in re.split(r"[|\n]", _TABLE.strip()) if (words := entry.split()) for name in words}


def language_code(text: str) -> str:
    """The ISO 639-1 code of a language tag, code or name; "" where it is not known. Of several the first counts."""
    word = re.split(r"[\s,;/()_-]", text.strip().lower(), maxsplit=1)[0]
    return _CODES.get(word, "")
