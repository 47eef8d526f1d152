"""Headings that name a part of a scholarly text, in ten languages: what an extractor needs to know a bibliography, an
abstract or an appendix by its heading. Pure."""

from __future__ import annotations

import re
import unicodedata

_WORDS: dict[str, str] = {
    "abstract": (
        "abstract|summary|executive summary|zusammenfassung|kurzfassung|kurzzusammenfassung|résumé|sommaire|resumen"
        "|resumo|riassunto|samenvatting|аннотация|реферат|резюме|摘要|内容摘要|中文摘要|要旨|要約|概要|抄録|초록|요약"
    ),
    "keywords": (
        "keywords|key words|keywords and phrases|index terms|general terms|schlüsselwörter|schlagwörter|stichwörter"
        "|mots-clés|mots clés|mots-clefs|palabras clave|palabras-clave|palavras-chave|parole chiave|trefwoorden"
        "|ключевые слова|关键词|关键字|關鍵詞|キーワード|키워드|주제어|핵심어"
    ),
    "references": (
        "references|reference|references and notes|references cited|literature cited|works cited|bibliography|citations"
        "|literatur|literaturverzeichnis|quellen|quellenverzeichnis|literaturangaben|références"
        "|références bibliographiques|bibliographie|referencias|referencias bibliográficas|bibliografía|referências"
        "|referências bibliográficas|bibliografia|riferimenti bibliografici|literatuur|литература|список литературы"
        "|selected bibliography|reference list|list of references|cited references|notes and references|further reading"
        "|einzelnachweise|quellen und literatur|weiterführende literatur|ouvrages cités|obras citadas|literatura citada"
        "|literatuurlijst|referenties|источники|参考资料|參考資料|参考书目"
        "|библиография|参考文献|參考文獻|引用文献|引用文獻|文献|文獻|참고문헌|참고 문헌"
    ),
    "introduction": (
        "introduction|einleitung|einführung|introducción|introdução|introduzione|inleiding|введение|引言|绪论|序論"
        "|はじめに|緒言|서론|머리말"
    ),
    "conclusion": (
        "conclusion|conclusions|concluding remarks|schluss|schlussfolgerung|schlussfolgerungen|fazit|conclusión"
        "|conclusiones|conclusão|conclusioni|conclusie|заключение|выводы|结论|結論|まとめ|おわりに|결론"
    ),
    "appendix": (
        "appendix|appendices|supplementary material|supplementary information|supporting information|anhang|annexe"
        "|annexes|anexo|anexos|apéndice|apêndice|appendice|bijlage|приложение|附录|附錄|付録|부록"
    ),
    "acknowledgements": (
        "acknowledgements|acknowledgments|acknowledgement|acknowledgment|danksagung|remerciements|agradecimientos"
        "|agradecimentos|ringraziamenti|dankwoord|благодарности|致谢|致謝|謝辞|감사의 글"
    ),
    "contents": (
        "contents|table of contents|inhalt|inhaltsverzeichnis|table des matières|sommaire|índice|sumário|indice"
        "|inhoud|содержание|оглавление|目录|目錄|目次|차례|목차"
    ),
}

_ROLES = {word: role for role, words in reversed(_WORDS.items()) for word in words.split("|")}

_NUMBER = re.compile(
    r"^\s*(?:(?:§|chapter|section|kapitel|chapitre|capítulo|appendix|anhang|annexe|anexo)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,3}){0,4}|[IVXLC]{1,7}|[A-Z](?:\.\d{1,3}){0,3})(?:[.)、．:]|(?=\s))\s*"
    r"|^\s*(?:第[\d一二三四五六七八九十百]{1,4}[章节節部編篇]|[一二三四五六七八九十]{1,3}[、．.])\s*",
    re.IGNORECASE,
)

_STEP = re.compile(r"^\s*(?:§\s*)?(\d{1,3}(?:\.\d{1,3}){0,4})(?:[.)．]|\s|$)")
_LETTERED = re.compile(
    r"^\s*(?:appendix\s+|anhang\s+|annexe\s+|anexo\s+)?([A-Z])(?:\.(\d{1,3}))?(?:\.(\d{1,3}))?[.:)]?\s+\S", re.I
)


_BARE_KEYWORDS = re.compile(r"\s*(?:Keywords|Key words|Index Terms|General Terms)\s+(?=[A-Z])")
"""Set in bold before the words themselves, without a colon."""


def heading_role(title: str) -> str:
    """The part that a heading names ("abstract", "keywords", "references", "introduction", "conclusion", "appendix",
    "acknowledgements", "contents"), numbering and final punctuation aside; "" for any other."""
    word = _folded(title)
    if word in _ROLES:
        return _ROLES[word]
    bare = _folded(_NUMBER.sub("", title, count=1))
    if bare in _ROLES:
        return _ROLES[bare]
    first = word.split(" ", 1)[0].rstrip(":.")
    return "appendix" if _ROLES.get(first) == "appendix" and len(word) < 100 else ""


def opening_role(text: str) -> tuple[str, int]:
    """The part that a paragraph's own first words name ("Abstract—We show…", "Keywords: trees, search", "摘要：…"), of
    abstract and keywords, and where the text itself begins; ("", 0) for none."""
    head = re.match(
        r"\s*[【\[]?([^\W\d_][^—–:：.．。\-\n】\]]{1,30}?)\s*(?:[】\]]\s*[:：]?|[—–:：.．]|\s-\s|-{2,}|\n)\s*", text
    )
    if head is None:
        bare = _BARE_KEYWORDS.match(text)
        return ("keywords", bare.end()) if bare else ("", 0)
    role = _ROLES.get(_folded(head[1]), "")
    return (role, head.end()) if role in ("abstract", "keywords") else ("", 0)


def numbering(title: str) -> tuple[int, ...]:
    """The numbers that a heading begins with: "2.1 Data" → (2, 1), "Appendix B" → (-2,); () for none."""
    found = _STEP.match(title)
    if found:
        return tuple(int(part) for part in found[1].split("."))
    lettered = _LETTERED.match(title)
    if lettered and (lettered[2] or heading_role(title) == "appendix"):
        return (-(ord(lettered[1].upper()) - 64), *(int(part) for part in lettered.groups()[1:] if part))
    return ()


def _folded(title: str) -> str:
    text = unicodedata.normalize("NFKC", title).casefold()
    text = re.sub(r"\s+", " ", text).strip(" \t.:：。—–-*#[]【】（）()")
    spread = text.replace(" ", "")
    return spread if spread in _ROLES else text
