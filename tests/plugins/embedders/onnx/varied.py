"""Texts of every kind that a tokenizer has to get right, made from fixed seeds."""

from __future__ import annotations

import random

WORDS = {
    "latin": [
        "café",
        "naïve",
        "Übermäßigkeit",
        "señor",
        "coração",
        "žluťoučký",
        "kůň",
        "łódź",
        "ångström",
        "þing",
        "œuvre",
        "İstanbul",
        "résumé",
        "grüße",
        "tsūnami",
    ],
    "english": [
        "the",
        "glacier",
        "surged",
        "twice,",
        "while",
        "moss",
        "(green)",
        "crept",
        "over",
        "basalt;",
        "state-of-the-art",
        "e.g.",
        "3.14",
        "x²",
        "don't",
        "U.S.A.",
    ],
    "cyrillic": [
        "ледник",
        "движется",
        "медленно",
        "зимой,",
        "но",
        "быстрее",
        "летом;",
        "Київ",
        "љубав",
        "ёж",
        "съёмка",
    ],
    "greek": ["ὁ", "παγετώνας", "κινεῖται", "ἀργά", "καὶ", "σταθερά", "αβγδ", "ΣΊΣΥΦΟΣ"],
    "han": ["冰川在冬天缓慢移动", "夏天则快得多", "，", "。", "國家圖書館", "研究表明", "𠮷野家", "々"],
    "kana": ["氷河は", "ゆっくり", "うごく", "カタカナ", "ﾊﾝｶｸ", "ー"],
    "hangul": ["빙하는", "겨울에", "천천히", "움직인다", "여름에는", "더", "빠르다", "ᄒᆞᆫ글", "뷁"],
    "arabic": [
        "يتحرك",
        "النهر",
        "الجليدي",
        "ببطء",
        "في",
        "الشتاء،",
        "وأسرع",
        "في",
        "الصيف",
        "؟",
        "لا",
        "إله",
        "ﷲ",
        "مُحَمَّد",
    ],
    "hebrew": ["הקרחון", "נע", "לאט", "בחורף", "שָׁלוֹם"],
    "indic": ["हिमनद", "धीरे", "चलता", "है", "বরফ", "নদী", "பனிப்பாறை", "క్షేత్రం"],
    "thai": ["ธารน้ำแข็ง", "เคลื่อนที่ช้า", "ในฤดูหนาว"],
    "emoji": ["🪨", "👩‍🔬", "🏔️", "👍🏽", "🇮🇸", "😀😀", "❤️‍🔥", "☃"],
    "nfkc": [
        "ﬁne",
        "①②",
        "ｆｕｌｌ",
        "Ⅳ",
        "㎞",
        "½",
        "x²",
        "ﷺ",
        "Å",
        "ǅ",
        "㍻",
        "e\u0301",
        "n\u0303",
        "…",
        "™",
        "ﾊﾞ",
        "\u00ad",
    ],
    "signs": [
        "∇·E=ρ/ε₀",
        "\\frac{a}{b}",
        "<s>",
        "</s>",
        "<mask>",
        "http://a.b/c?d=e&f",
        "a@b.org",
        "“quoted”",
        "‘’",
        "–—",
        "§ 4",
        "C++",
        "---",
    ],
}
SPACES = [" ", " ", " ", "  ", "   ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u200b", "\u2028", " \n ", ""]


def texts(count: int) -> list[str]:
    """So many texts: one script or several, in any white space, some of random characters, short and long."""
    chance = random.Random(384)
    kinds = list(WORDS)
    found = []
    for number in range(count):
        if number % 10 == 9:
            points = [chance.choice(RANGES) for _ in range(chance.randint(1, 60))]
            found.append("".join(chr(chance.randint(*one)) for one in points))
            continue
        chosen = chance.sample(kinds, chance.choice((1, 1, 2, 4)))
        words = [chance.choice(WORDS[chance.choice(chosen)]) for _ in range(chance.choice((1, 3, 10, 40, 150)))]
        found.append("".join(word + chance.choice(SPACES) for word in words))
    return found


RANGES = [
    (0x20, 0x7E), (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x5D0, 0x6FF), (0x900, 0xDFF), (0xE00, 0xE7F),
    (0x1E00, 0x1FFF), (0x2000, 0x2BFF), (0x3000, 0x30FF), (0x3200, 0x33FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFFEF),
    (0x1D400, 0x1D7FF), (0x1F300, 0x1FAFF), (0x20000, 0x2A6DF), (0x1, 0x1F), (0xE000, 0xE0FF),
]  # fmt: skip
