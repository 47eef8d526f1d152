"""A file → a pack: which of the two formats it is, and what is wrong with it if it is neither."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from pincite.errors import Unreadable
from pincite.markup.files import read_bytes, refuse_no_text
from pincite.markup.meta import tidied
from pincite.markup.roles import with_roles
from pincite.values.pack import Pack
from pincite_docx import VERSION, Settings
from pincite_docx.opendocument import read_open_document
from pincite_docx.parts import Parts
from pincite_docx.word import read_word
from pincite_docx.writing import Writing

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    KeyError,
    OSError,
)


@dataclass(frozen=True)
class DocxExtractor:
    """Implements `pincite.spec.Extractor`."""

    settings: Settings = field(default_factory=Settings)
    name: str = "docx"
    version: int = VERSION

    def extract(self, path: Path, password: str | None = None) -> Pack:
        """The document's text with its structure."""
        data = read_bytes(path, self.settings.max_bytes)
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise _encrypted(f"{path.name} is encrypted, or an old Office file")
        writing = Writing()
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                form, metadata = self._read(path.name, Parts(archive, self.settings.max_text_bytes), writing)
        except _BROKEN as error:
            raise Unreadable(
                "damaged", f"{path.name} cannot be unpacked: {' '.join(str(error).split())[:200]}; get it again"
            ) from None
        text = writing.builder.text
        refuse_no_text(text, path.name)
        metadata = tidied({"title": writing.shown_title(), **metadata})
        return Pack(
            form,
            text,
            tuple(with_roles(text, writing.builder.blocks, writing.outline.sections, metadata.get("title", ""))),
            tuple(writing.outline.sections),
            metadata=metadata,
            extractor=self.name,
            extractor_version=VERSION,
        )

    @staticmethod
    def _read(name: str, parts: Parts, writing: Writing) -> tuple[str, dict[str, str]]:
        if parts.encrypted():
            raise _encrypted(f"{name} is encrypted")
        for form, read in (("docx", read_word), ("odt", read_open_document)):
            if (metadata := read(parts, writing)) is not None:
                return form, metadata
        raise Unreadable("not-a-document", f"{name} is no Word or OpenDocument text")


def _encrypted(what: str) -> Unreadable:
    return Unreadable("encrypted", f"{what}; save it as .docx or .odt without a password")
