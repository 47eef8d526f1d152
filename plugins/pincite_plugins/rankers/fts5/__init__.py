"""Words, over FTS5 and postings with weighted term frequencies (specs/17-lexical-ranking.md)."""

from __future__ import annotations

from typing import Any, Literal

from pincite.spec import Context, hookimpl, setting
from pincite.values.quick import dataclass

WEIGHTS = {
    "title": 4.0,
    "abstract": 1.5,
    "metadata": 1.0,
    "annotation": 1.5,
    "note": 1.0,
    "body": 1.0,
    "reference": 0.25,
    "context": 1.75,
    "heading": 1.0,
}
"""What one mention in a column counts. Chosen by tests/benchmarks/lexical_quality.py."""


@dataclass(frozen=True)
class Settings:
    """``[ranker.fts5]``.

    `stems`: whether a word finds its other forms. `gate`: "strict" drops a passage of a document that holds less than three
    quarters of the query's words; "soft" lets it rank low. `weights` by column, in quarters up to 16. A change of `weights`
    makes the index anew.
    """

    stems: bool = True
    gate: Literal["soft", "strict"] = "soft"
    weights: dict[str, float] = setting(factory=dict)


def make(settings: Settings | None, context: Context) -> Any:
    """The ranker, in its own folder of the index."""
    from pincite_plugins.rankers.fts5.ranker import Fts5Ranker

    if context.folder is None or context.store is None:
        raise ValueError("the fts5 ranker needs an index folder and a store")
    return Fts5Ranker(context.folder / "fts5", context.store(), settings or Settings(), context.note)


@hookimpl
def register_rankers(register: Any) -> None:
    """Registers `fts5`."""
    register("fts5", make, settings=Settings)
