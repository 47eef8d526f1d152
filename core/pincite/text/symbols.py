"""Names of Greek letters and mathematical symbols, and the LaTeX commands that write them.

The normaliser turns a LaTeX command into the character it writes; the tokeniser gives characters their names. So ∇,
``\\nabla`` and "nabla" are one word, typed in any of the three ways.
"""

from __future__ import annotations

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
"""Folded Greek letter → its name in English."""

SYMBOLS = {
    "∇": "nabla", "∂": "partial", "∑": "sum", "∏": "product", "∫": "integral", "∮": "integral", "∞": "infinity",
    "√": "sqrt", "∀": "forall", "∃": "exists", "∅": "emptyset", "∈": "element", "∉": "notelement", "⊂": "subset",
    "⊆": "subset", "∪": "union", "∩": "intersection", "≈": "approx", "≅": "congruent", "≡": "equivalent", "≤": "leq",
    "≥": "geq", "≠": "neq", "∝": "proportional", "⊕": "oplus", "⊗": "otimes", "⊥": "perpendicular", "∥": "parallel",
}  # fmt: skip
"""Mathematical symbol → the word it is indexed as. Signs that prose is full of (+, ×, ·, →, ±) are separators."""

_WRITTEN_OTHERWISE = {
    "varepsilon": "ε", "vartheta": "θ", "varphi": "φ", "varrho": "ρ", "varsigma": "σ", "varpi": "π", "varkappa": "κ",
    "nabla": "∇", "partial": "∂", "sum": "∑", "prod": "∏", "int": "∫", "iint": "∫", "oint": "∮", "infty": "∞",
    "sqrt": "√", "forall": "∀", "exists": "∃", "emptyset": "∅", "varnothing": "∅", "in": "∈", "notin": "∉",
    "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "approx": "≈", "cong": "≅", "equiv": "≡", "leq": "≤",
    "le": "≤", "leqslant": "≤", "geq": "≥", "ge": "≥", "geqslant": "≥", "neq": "≠", "ne": "≠", "propto": "∝",
    "oplus": "⊕", "otimes": "⊗", "perp": "⊥", "parallel": "∥", "ell": "l", "hbar": "h", "ss": "ss", "ae": "ae",
    "oe": "oe", "aa": "a", "AE": "ae", "OE": "oe", "AA": "a",
    "o": "o", "O": "o", "l": "l", "L": "l", "i": "i", "j": "j",
}  # fmt: skip

LATEX = {
    **{name: letter for letter, name in GREEK.items()},
    **{name.capitalize(): letter for letter, name in GREEK.items()},
    **_WRITTEN_OTHERWISE,
}
"""LaTeX command, without its backslash → the folded text it writes."""

STYLING = frozenset(
    """
    text textbf textit textrm textsf texttt textsc textup textnormal emph underline overline mathbf mathrm
    mathit mathcal mathbb mathsf mathtt mathfrak mathscr mathnormal boldsymbol bm pmb operatorname ensuremath
    mbox hbox left right middle big Big bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle scriptstyle limits
    nolimits quad qquad hspace vspace hfill label tag begin end item noindent rm bf it sf tt hat bar tilde vec
    dot ddot check breve acute grave widehat widetilde frac dfrac tfrac cfrac binom stackrel overset underset
    overbrace underbrace phantom color textcolor nonumber notag cdot times pm mp to rightarrow leftarrow ldots
    cdots dots vdots ddots textsuperscript textsubscript displaylimits
    """.split()  # noqa: SIM905
)
"""LaTeX commands that say how, not what: they go, their arguments stay."""
