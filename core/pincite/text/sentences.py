"""Sentences: the Unicode rules (UAX #29, by apsw) with the corrections that scholarly prose needs.
specs/19-sentences.md."""

from __future__ import annotations

import re

from apsw.unicode import sentence_iter_with_offsets

from pincite.text.scripts import THAI_LIKE

_PARAGRAPH = re.compile(r"[^\S\n]*\n(?:[^\S\n]*\n)+")
_LINE_END = re.compile("[\n\r\x0b\x0c\x85\u2028\u2029]")

_NEVER_LAST = frozenset(
    # titles, parts of a work, comparisons: always followed by what they belong to
    [
        "dr",
        "prof",
        "mr",
        "mrs",
        "ms",
        "st",
        "sr",
        "hr",
        "fr",
        "mme",
        "mlle",
        "m",
        "fig",
        "figs",
        "abb",
        "eq",
        "eqs",
        "eqn",
        "ref",
        "refs",
        "sec",
        "sect",
        "no",
        "nos",
        "nr",
        "vol",
        "vols",
        "p",
        "pp",
        "s",
        "ed",
        "eds",
        "hrsg",
        "cf",
        "vs",
        "viz",
        "ca",
        "approx",
        "tab",
        "ch",
        "chap",
        "art",
        "e.g",
        "i.e",
        "z.b",
        "d.h",
        "u.a",
        "vgl",
        "bzw",
        "bd",
        "resp",
        "incl",
        "z",
        "d",
        "u",
        "bspw",
        "sog",
    ]
)
_STARTERS = frozenset(
    # words that open a sentence far oftener than they follow an initial
    [
        "the",
        "this",
        "these",
        "those",
        "that",
        "we",
        "in",
        "it",
        "its",
        "a",
        "an",
        "however",
        "here",
        "our",
        "they",
        "there",
        "when",
        "while",
        "for",
        "to",
        "on",
        "at",
        "as",
        "if",
        "after",
        "but",
        "and",
        "both",
        "all",
        "each",
        "one",
        "such",
        "with",
        "by",
        "from",
        "der",
        "die",
        "das",
        "wir",
        "es",
        "le",
        "la",
        "les",
        "nous",
        "il",
        "elle",
        "el",
        "los",
        "las",
        "se",
        "en",
    ]
)
_MONTHS = frozenset("januar februar märz april mai juni juli august september oktober november dezember".split())  # noqa: SIM905
_LAST_WORD = re.compile(r"(?:^|[\s(\[\"“„‚'’-])((?:[^\W\d_]\.)*[^\W_]+)\.[\"”’)\]]*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_BARE_NUMBER = re.compile(r"[(\[]?(?:\d{1,3}|[ivxlcIVXLC]{1,5}|[A-Za-z])(?:\.\d+)*[.)\]]+$")

_OPENING = "「『（《〈【“‘«([{"
_THAI = re.compile(f"[{THAI_LIKE}]")
THAI_LENGTH = 80
"""Characters after which a space ends a sentence in a script that writes no full stop."""


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as spans [start, end), in order, without the white space around them. Single
    line ends are white space; a blank line ends a sentence. Together the spans hold every character that is
    not white space."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _PARAGRAPH.finditer(text):
        found += _paragraph(text, start, match.start())
        start = match.end()
    found += _paragraph(text, start, len(text))
    return found


def _paragraph(text: str, start: int, end: int) -> list[tuple[int, int]]:
    flat = _LINE_END.sub(" ", text[start:end])
    spans: list[tuple[int, int]] = []
    for low, high, sentence in sentence_iter_with_offsets(flat):
        low += len(sentence) - len(sentence.lstrip())
        high -= len(sentence) - len(sentence.rstrip())
        if low >= high:
            continue
        while spans and spans[-1][1] > spans[-1][0] and flat[spans[-1][1] - 1] in _OPENING:
            low = spans[-1][1] - 1
            spans[-1] = (spans[-1][0], spans[-1][0] + len(flat[spans[-1][0] : low].rstrip()))
        if spans and spans[-1][1] == spans[-1][0]:
            spans.pop()
        if spans and _goes_on(flat[spans[-1][0] : spans[-1][1]], flat[low : low + 40]):
            spans[-1] = (spans[-1][0], high)
        else:
            spans.append((low, high))
    result = []
    for low, high in spans:
        if high - low > 2 * THAI_LENGTH and _THAI.search(flat, low, high):
            result += _by_length(flat, low, high)
        else:
            result.append((low, high))
    return [(start + low, start + high) for low, high in result]


def _goes_on(before: str, after: str) -> bool:
    """Whether what the Unicode rules cut apart is one sentence."""
    if not before.endswith((".", ".)", ".]", '."', ".”", ".’")):
        return False
    if _BARE_NUMBER.match(before):
        return True
    match = _LAST_WORD.search(before, max(0, before.rfind(" ")))  # no space is within it
    if not match:
        return False
    word = match[1]
    first = _FIRST_WORD.match(after)
    opening = first[0].lower() if first else ""
    if word == "al" or word.lower() in ("etc", "usw"):
        return not after[:1].isupper()
    if word.lower() in _NEVER_LAST:
        return opening not in _STARTERS or len(word) > 1
    if len(word) == 1 and word.isalpha():
        return opening not in _STARTERS and bool(first)
    return word.isdigit() and len(word) <= 2 and opening in _MONTHS


def _by_length(text: str, low: int, high: int) -> list[tuple[int, int]]:
    """A long stretch of Thai, Lao, Burmese or Khmer, cut at spaces once it is long enough."""
    spans = []
    start = low
    for match in re.compile(r"\s+").finditer(text, low, high):
        if match.start() - start >= THAI_LENGTH and high - match.end() >= THAI_LENGTH // 2:
            spans.append((start, match.start()))
            start = match.end()
    spans.append((start, high))
    return spans
