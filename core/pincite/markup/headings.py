"""What a heading says: its number, its level, and whether it names a part that every paper has."""

from __future__ import annotations

import re
import unicodedata

_NAMES: dict[str, str] = {
    "abstract": """
abstract|summary|executive summary|Zusammenfassung|Kurzfassung|résumé|sommaire|resumen|sumario|resumo|riassunto
samenvatting|аннотация|реферат|резюме|摘要|内容摘要|概要|要旨|要約|抄録|梗概|초록|요약
""",
    "keywords": """
keywords|key words|index terms|keywords and phrases|Schlüsselwörter|Schlagwörter|Stichwörter|mots clés|mots clefs
palabras clave|palavras chave|parole chiave|trefwoorden|ключевые слова|关键词|關鍵詞|关键字|キーワード|키워드|주제어
""",
    "introduction": """
introduction|background|Einleitung|Einführung|introducción|introdução|introduzione|inleiding|введение
引言|绪论|緒論|前言|导言|はじめに|序論|緒言|序|서론
""",
    "references": """
references|reference|reference list|list of references|bibliography|selected bibliography|works cited|cited works
literature cited|references cited|cited references|references and notes|notes and references|literature
cited literature|further reading
Literatur|Literaturverzeichnis|Literaturangaben|Quellen|Quellenverzeichnis|Quellen und Literatur|Einzelnachweise
Literatur und Quellen|Bibliographie|Bibliografie|Referenzen|Schrifttum|weiterführende Literatur
références|références bibliographiques|ouvrages cités|sources bibliographiques
referencias|referencias bibliográficas|bibliografía|literatura citada|obras citadas|bibliografía citada
referências|bibliografia|literatura|riferimenti bibliografici|riferimenti|literatuur|literatuurlijst|referenties|bronnen
литература|список литературы|библиография|источники
参考文献|參考文獻|参考资料|參考資料|参考书目|引用文献|引用文獻|引文|文献|文献一覧|참고문헌|참고 문헌
""",
}
"""Names of parts in English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Chinese, Japanese,
Korean."""

_HAN_NUMBER = "一二三四五六七八九十百〇零"
_ARABIC = re.compile(r"(?:§\s*)?(\d{1,3}(?:\.\d{1,3}){0,5})\.?(?:[\s\u3000]+|(?=[^\W\d_])|:\s*)(?=\S)")
_ROMAN = re.compile(r"(?=[IVXLC])(?:X[LC]|L?X{0,4})(?:IX|IV|V?I{0,4})[.):]?\s+(?=\S)")
_LETTER = re.compile(r"[A-Z](?:(?:\.\d{1,3}){1,4}[.)]?|[.)])\s+(?=\S)")
_CHAPTER = re.compile(
    r"(?:chapter|part|book|section|appendix|kapitel|teil|abschnitt|anhang|chapitre|partie|annexe|capitulo|parte|seccion|anexo"
    r"|capitolo|sezione|hoofdstuk|глава|часть)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])\b[\s.:—–-]*",
    re.IGNORECASE,
)
_HAN_CHAPTER = re.compile(rf"第\s*[{_HAN_NUMBER}\d]+\s*([部编編篇卷章回讲講节節条條])[\s\u3000.、:：]*")
_HAN_LIST = re.compile(rf"(?:([{_HAN_NUMBER}]+)[、．.]|[（(][{_HAN_NUMBER}]+[）)])\s*(?=\S)")
_HAN_LEVELS = dict.fromkeys("部编編篇卷章回讲講", 1) | {"节": 2, "節": 2, "条": 3, "條": 3}


_ACCENTS = re.compile("[\u0300-\u036f]")  # of Latin, Greek and Cyrillic; kana keep their voicing marks


def folded(text: str) -> str:
    """Lower case, without accents and punctuation, single spaces: for comparing names of parts."""
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
    words = re.sub(r"[\W_]+", " ", plain).split()
    if len(words) > 2 and all(len(word) == 1 for word in words):  # A B S T R A C T, 摘　要
        return "".join(words).casefold()
    joined = " ".join(words).casefold()
    return joined.replace(" ", "") if joined and ord(joined[0]) > 0x2E80 else joined


_ROLES = {folded(name): role for role, names in _NAMES.items() for name in re.split(r"[|\n]", names) if name}


def numbering(title: str) -> tuple[int, int] | None:
    """The level that a heading's number gives it (1 for "2", 2 for "2.1"), and how many characters the number takes;
    None where it has no number."""
    text = title.lstrip()
    skipped = len(title) - len(text)
    if found := _CHAPTER.match(text):
        return 1, skipped + found.end()
    if found := _HAN_CHAPTER.match(text):
        return _HAN_LEVELS[found[1]], skipped + found.end()
    if found := _HAN_LIST.match(text):
        return (1 if found[1] else 2), skipped + found.end()
    if found := _ARABIC.match(text):
        return found[1].count(".") + 1, skipped + found.end()
    if found := _ROMAN.match(text):
        return 1, skipped + found.end()
    if found := _LETTER.match(text):
        return found.group().rstrip(".) \t").count(".") + 1, skipped + found.end()
    return None


def heading_role(title: str) -> str:
    """What part of a work a heading opens: "abstract", "keywords", "introduction", "references", or ""."""
    if len(title) > 80:
        return ""
    name = folded(title)
    if name in _ROLES:
        return _ROLES[name]
    number = numbering(title)
    return _ROLES.get(folded(title[number[1] :]), "") if number else ""


_LEAD = re.compile(r"\W{0,3}([^\W\d_](?:[^\W\d_]|[ \u3000\-’']){1,24}?)\W{0,2}\s*(?:[:：.—–\-]|\]|】)\s*")


def lead_role(paragraph: str) -> tuple[str, int]:
    """The same for a paragraph that begins with the name and a mark ("Keywords: …", "摘要：…"), and where its text
    begins after that; ("", 0) where it does not."""
    found = _LEAD.match(paragraph[:48])
    if found is None:
        return "", 0
    role = _ROLES.get(folded(found[1]), "")
    return (role, found.end()) if role in ("abstract", "keywords") else ("", 0)
