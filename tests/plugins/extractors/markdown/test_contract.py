"""The extractor `markdown` keeps the contract (specs/01-contract.md)."""

from pincite.testing import ExtractorKit

SAMPLE = """---
title: Kelp
---

# Kelp after the *storm*

The holdfast grips the rock, see [[Tides|the tides]] and `code` — naïve café.

## Plots

- one urchin
- two otters

| plot | count |
|------|-------|
| one  | 12    |

> Light reaches the floor.[^1]

[^1]: 潮水退去之后。
"""


class TestMarkdown(ExtractorKit):
    name = "markdown"
    says = "The holdfast grips the rock, see the tides"

    blocks = (
        "Kelp after the storm",
        "The holdfast grips the rock, see the tides and code — naïve café.",
        "Plots",
        "one urchin",
        "two otters",
        "plot count one 12",
        "Light reaches the floor.",
        "潮水退去之后。",
    )

    def sample(self, folder):
        path = folder / "kelp.md"
        path.write_text(SAMPLE, "utf-8")
        return path
