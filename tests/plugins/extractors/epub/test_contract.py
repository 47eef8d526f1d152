"""The extractor `epub` keeps the contract (specs/01-contract.md)."""

from ebooklib import epub

from pincite.testing import ExtractorKit


class TestEpub(ExtractorKit):
    name = "epub"
    says = "The holdfast grips the rock"

    def sample(self, folder):
        book = epub.EpubBook()
        book.set_identifier("urn:kelp")
        book.set_title("Kelp after the storm")
        book.set_language("en")
        chapters = []
        for number, text in enumerate(
            ("The holdfast <em>grips</em> the rock.", "Urchins graze where otters are gone. 潮水退去之后。"), 1
        ):
            chapter = epub.EpubHtml(title=f"Part {number}", file_name=f"part{number}.xhtml", lang="en")
            chapter.content = f"<h1>Part {number}</h1><p>{text}</p>" + f"<p>{text} Again and again.</p>" * 20
            book.add_item(chapter)
            chapters.append(chapter)
        book.toc = tuple(chapters)
        book.add_item(epub.EpubNcx())
        book.add_item(epub.EpubNav())
        book.spine = ["nav", *chapters]
        path = folder / "kelp.epub"
        epub.write_epub(path, book)
        return path
