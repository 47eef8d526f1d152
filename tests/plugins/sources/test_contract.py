"""Every built-in source passes the contract kit (specs/01-contract.md)."""

from __future__ import annotations

import json
from pathlib import Path

from pincite.testing.source import SourceKit
from zotero_library import ZoteroLibrary


class TestZotero(SourceKit):
    name = "zotero"
    holds = (
        "Walls 2",
        "Moss",
        "1998",
        "lime",
        "Shelf 1",
        "Read again.",
        "Mörtel.pdf",
        "mortar",
        "iv",
        "Wall against Bridge",
        "Circle",
    )

    def library(self, folder: Path) -> Path:
        library = ZoteroLibrary(folder / "Zotero")
        group = library.group(12, "Circle")
        for number in range(3):
            item = library.item("book", f"BOOK000{number}", title=f"Walls {number}", date="1998-00-00 1998")
            library.creator(item, "Moss", "Ada")
            library.tag(item, "lime")
            library.collection(f"Shelf {number}", items=[item])
            library.note("<p>Read again.</p>", item, title="Read again.")
            file = library.attachment("storage:Mörtel.pdf", item, content=b"%PDF-1.7")
            library.annotation(file, text="mortar", comment="?", page_label="iv")
        library.item("case", library=group, caseName="Wall against Bridge")
        return library.close()


class TestBibtex(SourceKit):
    name = "bibtex"
    holds = ("Lime", "Moss", "Ada", "Mörtel.pdf", "Again.", "https://example.org")
    problems = ("fern",)

    def library(self, folder: Path) -> Path:
        path = folder / "library.bib"
        path.write_text(
            "@book{moss, title = {Lime}, author = {Moss, Ada}, file = {:Mörtel.pdf:PDF;:b.pdf:PDF}, annote = {Again.}}\n"
            "@book{fern, title = {Loam}, file = {:C\\:\\\\x.pdf:PDF}, url = {https://example.org}}\n"
            "@book{fern, title = {Sand}, file = {https://example.org/sand.pdf}}\n@book{, title = {No key}}\n",
            "utf-8",
        )
        return path


class TestRis(SourceKit):
    name = "bibtex"
    holds = ("Walls 2", "Moss", "Ada", "1991", "1.pdf")

    def library(self, folder: Path) -> Path:
        path = folder / "library.ris"
        record = "TY  - BOOK\nTI  - Walls {n}\nAU  - Moss, Ada\nPY  - 199{n}\nL1  - {n}.pdf\nER  - \n\n"
        path.write_text("".join(record.format(n=number) for number in range(3)))
        return path


class TestCslJson(SourceKit):
    name = "bibtex"
    holds = ("Walls 1", "b2")

    def library(self, folder: Path) -> Path:
        path = folder / "library.json"
        path.write_text(json.dumps([{"id": f"b{n}", "type": "book", "title": f"Walls {n}"} for n in range(3)]))
        return path


class TestFolder(SourceKit):
    name = "folder"
    holds = ("Lime", "Ada", "Moss", "mortar", "Wände/b.md", "c.txt", "a.pdf", "1998")

    def library(self, folder: Path) -> Path:
        library = folder / "papers"
        (library / "Wände").mkdir(parents=True)
        (library / "a.pdf").write_bytes(b"%PDF-1.7")
        (library / "Wände" / "b.md").write_text(
            "---\ntitle: Lime\nauthor: Ada Moss\ndate: 1998-05-02\ntags: [mortar]\n---\ntext", "utf-8"
        )
        (library / "c.txt").write_text("text")
        (library / "refs.bib").write_text("@book{moss, title = {Lime}, file = {:a.pdf:PDF}}")
        return library


class TestJsonl(SourceKit):
    name = "jsonl"
    holds = (
        "Wände 3",
        "Kalk und Lehm.",
        "de",
        "Moss",
        "Ada",
        "Fern",
        "1998-05-02",
        "1998",
        "1931",
        "lime",
        "Walls/Old",
        "10.5555/lime.1",
    )
    problems = ("docs.jsonl:7: not JSON", "docs.jsonl:8: no id", "docs.jsonl:9: the id 'd0'")

    def library(self, folder: Path) -> Path:
        path = folder / "docs.jsonl"
        lines: list[object] = [
            {"id": f"d{n}", "title": f"Wände {n}", "text": "Kalk und Lehm.", "lang": "de"} for n in range(4)
        ]
        lines += [
            {
                "id": "e0",
                "title": "Lime",
                "authors": ["Moss, Ada"],
                "date": "1998-05-02",
                "tags": ["lime"],
                "doi": "10.5555/lime.1",
            },
            {"id": "e1", "title": "Loam", "author": "Bo Fern", "year": 1931, "collections": ["Walls/Old"]},
        ]
        broken = ["{broken", json.dumps({"title": "No id"}), json.dumps(lines[0])]
        path.write_text("\n".join([*map(json.dumps, lines), *broken]) + "\n")
        return path
