"""The extractor `text` keeps the contract (specs/01-contract.md)."""

from pincite.testing import ExtractorKit


class TestText(ExtractorKit):
    name = "text"
    says = "潮水退去之后 the holdfast grips the rock"

    blocks = ("KELP", "潮水退去之后 the holdfast grips the rock.", "Second page, naïve café.")

    def sample(self, folder):
        path = folder / "kelp.txt"
        path.write_text("KELP\n\n潮水退去之后 the holdfast\ngrips the rock.\n\n\fSecond page, naïve café.\n", "utf-8")
        return path
