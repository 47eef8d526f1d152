"""LaTeX in fields → text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.metadata.bibtex.accents import finish, replace_common
from pincite.metadata.bibtex.latex import latex_to_text, verbatim


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"J{\"o}rg \"Uber S\o ren S{\o}ren S\o{}ren", "Jörg Über Søren Søren Søren"),
        (r"\'{E}tienne \v{S}imun {\L}ukasz Stra{\ss}e", "Étienne Šimun Łukasz Straße"),
        (r"{\c c}a \c{c}a Erd{\H o}s {\'\i} {\'{\i}} \k{a} \d{t}", "ça ça Erdős í í ą ṭ"),
        (r"Sand \& lime, 50\% of \$5, a\_b, \#1", "Sand & lime, 50% of $5, a_b, #1"),
        ("a~b -- c --- d ``q''", "a b – c — d “q”"),
        (r"\textit{Homo} {\em sapiens} \textup{The rest} \emph{x}", "Homo sapiens The rest x"),
        (r"\href{https://example.org/a_b}{the page} \url{https://example.org}", "the page https://example.org"),
        (r"$\alpha$-helix, H$_2$O, $10^{-3}$", "α-helix, H2O, 10-3"),
        (r"(000\=1) {$\left(000\bar{1}\right)$} $\overline{1}$", "(0001̄) (0001̅) 1̅"),
        (r"from $5 to $6 & more, {\"U}ber & x", "from $5 to $6 & more, Über & x"),
        (r"it costs $5 or \$7 & is $2 \times 3$ wide", "it costs $5 or $7 & is 2 × 3 wide"),
        (r"AT&amp;T & {$\alpha$} & $f \circ g$", "AT&amp;T & α & f ∘ g"),
        (r"above $30^{\circ}$C, $T > 30^\circ$C", "above 30°C, T > 30°C"),
        (r"$\lt$p$\gt$text$\lt$/p$\gt$", "<p>text</p>"),
        ("100% sure", "100% sure"),
        ("{The {CGAL} Project}", "The CGAL Project"),
        ("folded\n\tover lines", "folded over lines"),
        ("one\n\ntwo", "one\n\ntwo"),
        (r"\LaTeX{} and \TeX", "LaTeX and TeX"),
        ("", ""),
    ],
)
def test_text(latex: str, text: str) -> None:
    assert latex_to_text(latex) == text


@given(st.text(alphabet=r"\{}$~^'`\"-=%&#_ aeöcio2", max_size=40))
def test_no_text_raises_and_no_brace_is_left(latex: str) -> None:
    text = latex_to_text(latex)
    if "\\" not in latex:
        assert not set(text) & set("{}")


@given(st.lists(st.sampled_from([r"{\"o}", r"\'e", r"\v{s}", r"{\ss}", r"\c{c}", "wall", "{Lime}", " "]), max_size=8))
def test_the_tables_agree_with_pylatexenc(parts: list[str]) -> None:
    from pylatexenc.latex2text import LatexNodes2Text

    latex = "".join(parts)
    whole = LatexNodes2Text(math_mode="text", strict_latex_spaces=False).latex_to_text(latex)
    quick = finish(replace_common(latex))
    assert quick is not None
    assert re.sub(r"\s+", " ", quick).strip() == re.sub(r"\s+", " ", whole).strip()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (r"https://example.org/a\_b\%20c~d", "https://example.org/a_b%20c~d"),
        (r"{10.1234/a\_b}", "10.1234/a_b"),
        (r"https://example.org/$\sim$ana", "https://example.org/~ana"),
    ],
)
def test_verbatim(value: str, text: str) -> None:
    assert verbatim(value) == text
