"""The fixed texts of a verification, and the two that every batch carries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

SENTINELS = (
    "The harbour clock stopped at noon, and the pilots kept time by the bell of the fish market instead.",
    "Zinc ions bind four cysteines: the finger folds, and a helix reads the groove of the double strand.",
)
"""Neither may be taken for the other by any model that tells texts apart."""

FIXED: dict[str, str] = {
    "short": "tidal locking",
    "one word": "palimpsest",
    "almost empty": "…",
    "sentence": "Late frosts killed the almond blossom, so the growers of the valley sold their land to the railway company.",
    "long": " ".join(
        (
            "A kiln of brick holds its heat through the night, and the potter reads the colour of the flame rather than a dial.",
            "Glaze that is fired too fast boils and leaves pinholes; fired too slowly it turns dull and drinks the light.",
            "The oldest shards of the mound show finger marks under a slip of red ochre, pressed before the clay was dry.",
            "Merchants packed bowls in straw, rim to foot, and counted the broken ones against the wages of the carters.",
        )
    ),
    "Chinese": "古代天文学家用铜制仪器测量恒星的高度，并把结果刻在石碑上。",
    "Japanese": "この実験では、温度を一定に保ったまま圧力だけを少しずつ変えました。",
    "Arabic": "كتب الرحالة عن المدن التي مر بها، ووصف أسواقها وعادات أهلها وصفا دقيقا.",
    "Russian": "Учёные сравнили годичные кольца старых сосен с летописями о засухах.",
    "code": "def median(values):\n    ordered = sorted(values)\n    return ordered[len(ordered) // 2]  # upper one of an even count",
    "mathematics": "∑_{k=1}^{n} 1/k = ln n + γ + O(1/n), where γ ≈ 0.5772 and n → ∞; hence H_n diverges like the logarithm.",
    "numbers": "1987; 2,451 ± 37; p < 0.001; CI [1.12, 3.48]; DOI 10.5555/12345678; pp. 114–129",
    "mixed case": "mRNA from E. coli K-12 and NaHCO3 at pH 7.4 were kept at −80 °C",
    "white space": "a wide   gap, a tab\tand\n\na new line",
    "name": "Ada Lovelace",
    "heading": "3.2 Materials and methods",
    "German": "Nebelkammer",
    "Korean": "해수면 상승",
    "Hindi": "मानसून की वर्षा",
    "question": "why do cats purr?",
    "term": "eigenvalue",
    "place": "Lake Titicaca",
}
"""Label → text. Short of any window."""

_FIRST = "The ferry crosses the strait at dawn and carries mail, goats and schoolchildren to the island."
_SECOND = "Enzymes of the liver break the compound down within an hour, and its traces leave by the kidneys."


def fitted(count: Callable[[Sequence[str]], list[int]], tokens: int) -> str:
    """A text of at most `tokens` tokens and nearly that many: the first half speaks of one thing and the rest of another, so that a
    server that cuts it short gives another vector."""
    each = max(1, count([_FIRST])[0])
    words = (f"{_FIRST} " * (tokens // (2 * each))).split() + (f"{_SECOND} " * (tokens // each + 2)).split()
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if count([" ".join(words[:middle])])[0] <= tokens:
            low = middle
        else:
            high = middle - 1
    return " ".join(words[:low])
