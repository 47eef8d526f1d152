"""The extractor `html` keeps the contract (specs/01-contract.md)."""

from pincite.testing import ExtractorKit

SAMPLE = """<!doctype html><html lang="en"><head><title>Kelp</title><meta charset="utf-8"></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main><h1>Kelp after the storm</h1><p>The holdfast <em>grips</em> the rock, and the naïve café-owner’s&nbsp;résumé is read by no one at all.</p>
<h2>Plots</h2><p>Urchins graze where otters are gone, in plot one and in plot two. 潮水退去之后。</p>
<table><tr><th>plot</th><th>count</th></tr><tr><td>one</td><td>12</td></tr></table>
<ul><li>one urchin</li><li>two otters</li></ul></main><footer>© nobody</footer></body></html>
"""


class TestHtml(ExtractorKit):
    name = "html"
    says = "The holdfast grips the rock"

    def sample(self, folder):
        path = folder / "kelp.html"
        path.write_text(SAMPLE, "utf-8")
        return path
