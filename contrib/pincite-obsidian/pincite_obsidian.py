"""Source `obsidian`: a vault of Markdown notes, with front matter, tags, links, embedded files and block anchors.

Each note is an item, and its file an attachment. A paragraph with a block anchor (``… ^id``) is an annotation too, whose link opens it in
Obsidian. Nothing in the vault is written; ``.obsidian``, ``.trash`` and other hidden folders are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pincite.errors import UsageError
from pincite.metadata.dates import year_of
from pincite.metadata.frontmatter import read_front_matter, split_front_matter, text, texts
from pincite.spec import Context, Register, hookimpl, setting
from pincite.values.library import Annotation, AnnotationKind, Attachment, Creator, Item, Problem, Record

PINCITE_CONTRACT = 1

_BLOCK = re.compile(
    r"(?:^|(?<=\n))(?P<text>(?:[^\n]*\S[^\n]*\n)*?[^\n]*?)[ \t\n]\^(?P<id>[A-Za-z0-9-]+)[ \t]*(?=\n|\Z)"
)
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.M | re.S)
_EMBED = re.compile(r"!\[\[([^\]|#]+\.(?:pdf|epub|html?|docx|odt|txt))(?:[#|][^\]]*)?\]\]", re.I)
_LINK = re.compile(r"(?<!!)\[\[([^\]|#^]+)")
_TAG = re.compile(r"(?:^|(?<=\s))#([^\W\d][\w/-]*)")


@dataclass(frozen=True)
class Settings:
    """``[source.obsidian]``."""

    vault: str = setting("", description="The vault's name in Obsidian, where it is not that of its folder.")


class ObsidianVault:
    """Implements `pincite.spec.Source`."""

    def __init__(self, path: Path, name: str = "") -> None:
        if not path.is_dir():
            raise UsageError(f"{path}: no such folder; give the folder of an Obsidian vault")
        self.path = path.absolute()
        self.name = name or self.path.name
        self.identity = f"obsidian:{os.path.realpath(path)}"

    def records(self) -> Iterator[Record | Problem]:
        """A record for each note, in the order of its path in the vault."""
        files: dict[str, list[Path]] = {}
        notes: dict[str, Path] = {}
        for folder, folders, names in os.walk(self.path):
            folders[:] = [one for one in folders if not one.startswith(".")]
            for name in names:
                path = Path(folder, name)
                files.setdefault(name.casefold(), []).append(path)
                if name.lower().endswith(".md") and not name.startswith("."):
                    notes[path.relative_to(self.path).as_posix()[:-3]] = path
        for id in sorted(notes):
            try:
                source = notes[id].read_bytes().decode("utf-8-sig", "replace")
            except OSError as error:
                yield Problem(str(notes[id]), f"cannot be read: {error.strerror}")
                continue
            yield self._record(id, notes[id], source, files)

    def watched(self) -> Sequence[Path]:
        """The vault."""
        return [self.path]

    def close(self) -> None:
        """Holds nothing."""

    def _record(self, id: str, path: Path, source: str, files: dict[str, list[Path]]) -> Record:
        head = read_front_matter(source)
        body = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), split_front_matter(source)[1])
        date = text(head.get("date") or head.get("year") or head.get("created"))
        folder = id.rpartition("/")[0]
        item = Item(
            id,
            "article" if "doi" in head else "entry",
            text(head.get("title")) or id.rpartition("/")[2],
            texts(head.get("aliases") or head.get("alias")),
            tuple(Creator(name) for name in texts(head.get("authors") or head.get("author"))),
            year_of(date),
            date,
            abstract=text(head.get("abstract") or head.get("description")),
            doi=text(head.get("doi")),
            url=text(head.get("url") or head.get("source")),
            identifiers=tuple(dict.fromkeys(f"[[{name.strip()}]]" for name in _LINK.findall(body))),
            tags=tuple(
                dict.fromkeys(
                    [*(tag.lstrip("#") for tag in texts(head.get("tags") or head.get("tag"))), *_TAG.findall(body)]
                )
            ),
            collections=(folder,) if folder else (),
            link=self._link(id),
        )
        own = Attachment(f"{id}.md", str(path), content_type="text/markdown", link=self._link(id))
        return Record(
            item, annotations=tuple(self._blocks(id, body)), attachments=(own, *self._embedded(id, body, files))
        )

    def _blocks(self, id: str, body: str) -> Iterator[Annotation]:
        seen = set()
        for found in _BLOCK.finditer(body):
            words = " ".join(found["text"].split())
            if words and found["id"] not in seen:
                seen.add(found["id"])
                yield Annotation(
                    f"{id}#^{found['id']}",
                    f"{id}.md",
                    AnnotationKind.NOTE,
                    words,
                    link=self._link(f"{id}#^{found['id']}"),
                )

    def _embedded(self, id: str, body: str, files: dict[str, list[Path]]) -> Iterator[Attachment]:
        """Files that the note embeds: by their path in the vault, else the only one of that name, as Obsidian looks for them."""
        for name in dict.fromkeys(found.strip() for found in _EMBED.findall(body)):
            path = self.path / name
            if not path.is_file():
                there = sorted(files.get(name.rpartition("/")[2].casefold(), []))
                path = there[0] if there else path
            child = f"{id}!{name}"
            yield (
                Attachment(child, str(path))
                if path.is_file()
                else Attachment(child, missing=f"{name} is not in the vault")
            )

    def _link(self, file: str) -> str:
        return f"obsidian://open?vault={quote(self.name, safe='')}&file={quote(file, safe='')}"


def recognises(path: Path) -> float:
    """0.95 for a folder that Obsidian has opened as a vault."""
    return 0.95 if (path / ".obsidian").is_dir() else 0.0


def make(settings: Settings, context: Context) -> Any:
    """The source for `context.library`."""
    if context.library is None:
        raise UsageError("source obsidian: no library is given; give the folder of an Obsidian vault")
    return ObsidianVault(context.library, settings.vault)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `obsidian`."""
    register("obsidian", make, settings=Settings, recognises=recognises)
