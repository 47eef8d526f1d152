"""The extractor `pdf` keeps the contract (specs/01-contract.md)."""

import pymupdf

from pincite.testing import ExtractorKit


class TestPdf(ExtractorKit):
    name = "pdf"
    says = "The holdfast grips the rock"

    def sample(self, folder):
        document = pymupdf.open()
        for number in (1, 2, 3):
            page = document.new_page(width=595, height=842)
            page.insert_text((60, 50), "Shores 3", fontsize=8)
            page.insert_text((60, 100), f"{number} Kelp after the storm", fontsize=16)
            body = "The holdfast grips the rock while the blades bend with every swell of the tide. " * 12
            page.insert_textbox((60, 120, 535, 400), body, fontsize=11)
            page.insert_text((290, 800), str(number), fontsize=8)
        page.add_highlight_annot(pymupdf.Rect(60, 120, 300, 140))
        document.set_toc([[1, f"{number} Kelp after the storm", number] for number in (1, 2, 3)])
        path = folder / "kelp.pdf"
        document.save(path)
        document.close()
        return path
