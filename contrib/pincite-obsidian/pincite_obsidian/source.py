"""The source: notes → records. Each note is an item, its file an attachment, and so are the documents that it embeds. A block with an
anchor (``… ^id``) is an annotation too, whose link opens it in Obsidian. Nothing in the vault is written; hidden folders are left out.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from pincite.errors import UsageError
from pincite.metadata.dates import year_of
from pincite.metadata.files import attachment_of
from pincite.metadata.frontmatter import read_front_matter, split_front_matter, text, texts
from pincite.values.library import Annotation, AnnotationKind, Attachment, Creator, Item, Problem, Record
from pincite_obsidian import markup

DOCUMENTS = (".pdf", ".epub", ".html", ".htm", ".docx", ".odt", ".txt")


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
        files: dict[str, Path] = {}
        notes: dict[str, Path] = {}
        problems: list[Problem] = []
        for path in self._files(problems):
            place = path.relative_to(self.path).as_posix()
            files[place.casefold()] = path
            if place.lower().endswith(".md"):
                notes[place[:-3]] = path
        names: dict[str, str] = {}
        for place in sorted(files, key=lambda one: (one.count("/"), one)):
            names.setdefault(place.rpartition("/")[2], place)
        sources: dict[str, str] = {}
        for id, path in notes.items():
            try:
                sources[id] = path.read_bytes().decode("utf-8-sig", "replace")
            except OSError as error:
                problems.append(Problem(str(path), f"cannot be read: {error.strerror}"))
        yield from sorted(problems, key=lambda one: one.where)
        for id in sorted(sources):
            yield self._record(id, notes[id], sources.pop(id), files, names)

    def watched(self) -> Sequence[Path]:
        """The vault."""
        return [self.path]

    def close(self) -> None:
        """Holds nothing."""

    def _files(self, problems: list[Problem]) -> Iterator[Path]:
        """All files that Obsidian shows."""

        def unread(error: OSError) -> None:
            problems.append(Problem(str(error.filename), f"cannot be read: {error.strerror}"))

        for folder, folders, names in os.walk(self.path, onerror=unread):
            folders[:] = [one for one in folders if not one.startswith(".")]
            for name in names:
                try:
                    os.path.join(folder, name).encode()
                except UnicodeEncodeError:
                    problems.append(Problem(repr(os.path.join(folder, name)), "its name is not UTF-8; rename it"))
                    continue
                if not name.startswith("."):
                    yield Path(folder, name)

    def _record(self, id: str, path: Path, source: str, files: Mapping[str, Path], names: Mapping[str, str]) -> Record:
        head = read_front_matter(source)
        body = split_front_matter(source)[1].replace("\r\n", "\n")
        shown = markup.seen(body)
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
            identifiers=tuple(f"[[{name}]]" for name in markup.links(shown)),
            tags=tuple(
                dict.fromkeys(
                    [*(tag.lstrip("#") for tag in texts(head.get("tags") or head.get("tag"))), *markup.tags(shown)]
                )
            ),
            collections=(folder,) if folder else (),
            link=self._link(id),
        )
        own = Attachment(f"{id}.md", str(path), content_type="text/markdown", link=self._link(id))
        return Record(
            item,
            annotations=tuple(self._blocks(id, body, shown)),
            attachments=(own, *self._embedded(id, shown, files, names)),
        )

    def _blocks(self, id: str, body: str, shown: str) -> Iterator[Annotation]:
        blocks: dict[str, str] = {}
        for anchor, words in markup.anchored(body, shown):
            blocks.setdefault(anchor, words)
        for anchor, words in blocks.items():
            place = f"{id}#^{anchor}"
            yield Annotation(place, f"{id}.md", AnnotationKind.NOTE, words, link=self._link(place))

    def _embedded(
        self, id: str, shown: str, files: Mapping[str, Path], names: Mapping[str, str]
    ) -> Iterator[Attachment]:
        """Documents that the note embeds: by their path from the note or in the vault, else by their name, as Obsidian looks for
        them; none outside the vault."""
        given = set()
        for name in markup.embeds(shown):
            if not name.lower().endswith(DOCUMENTS) or "://" in name:
                continue
            near = posixpath.normpath(posixpath.join(posixpath.dirname(id), name)).casefold()
            far = posixpath.normpath(name).lstrip("/").casefold()
            place = next((one for one in (near, far) if one in files), names.get(posixpath.basename(far), ""))
            child = f"{id}!{name}"
            if not place:
                yield Attachment(child, missing=f"{name} is not in the vault")
            elif place not in given:
                given.add(place)
                yield attachment_of(child, str(files[place]))

    def _link(self, file: str) -> str:
        return f"obsidian://open?vault={quote(self.name, safe='')}&file={quote(file, safe='')}"
