"""A BibTeX file's text → its entries with raw field values, abbreviations put in, and its comments."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bibtexparser.library import Library
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    ExplicitComment,
    Field,
    ParsingFailedBlock,
    String,
)
from bibtexparser.model import Entry as ParsedEntry
from bibtexparser.splitter import Splitter

from pincite.metadata.dates import month_number

# bibtexparser says on its logger what is said here as a fault
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
logging.getLogger("bibtexparser").propagate = False

_BLOCK = re.compile(r"^[ \t]*@[ \t]*\w+[ \t]*[{(]", re.MULTILINE)
_HEAD = re.compile(r"@[ \t]*(\w+)[ \t]*[{(][ \t\r\n]*([^,\s=}]*)")
_NEXT_FIELD = re.compile(r"\s+[A-Za-z][\w+.:-]*\s*=")
_TOKEN = re.compile(r'\s*(?:(#)|(\{)|(")|([^\s#{}",]+))')


@dataclass(slots=True)
class Entry:
    """One entry. `type` and the names of fields are in lower case; a value is LaTeX without its outer braces or quotes.

    `repeated` holds, for fields given more than once (BibTeX takes the first, but several ``file`` fields are
    common), the values after the first.
    """

    type: str
    key: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, list[str]] = field(default_factory=dict)

    def values(self, name: str) -> list[str]:
        """All values of a field."""
        first = self.fields.get(name, "")
        return [value for value in (first, *self.repeated.get(name, ())) if value]


@dataclass(frozen=True, slots=True)
class Fault:
    """A block that could not be read, with its line (from 1) and key, if it has one."""

    line: int
    key: str
    reason: str


@dataclass(slots=True)
class Parsed:
    """What a file holds."""

    entries: list[Entry] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def parse(text: str) -> Parsed:
    """The entries of a file in its order. Entries behind a ``%`` are commented out, as biber has it. Nothing raises."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    library = Splitter(text).split()
    strings = _strings(library)
    parsed = Parsed()
    for block in _blocks(library):
        line = (block.start_line or 0) + 1
        if lines[min(line, len(lines)) - 1].lstrip().startswith("%"):
            continue
        if isinstance(block, ParsedEntry) and any(map(_swallows, block.fields)):
            _repair(line, lines, strings, parsed)
        elif isinstance(block, ParsedEntry):
            parsed.entries.append(_entry(block, line, strings))
        elif isinstance(block, ExplicitComment):
            parsed.comments.append(block.comment)
        elif isinstance(block, ParsingFailedBlock):
            _repair(line, lines, strings, parsed)
    return parsed


def _blocks(library: Library) -> Iterator[Block]:
    """The blocks, those refused for a repeated key or field among them, in the file's order."""
    for block in library.blocks:
        if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
            inner = block.ignore_error_block
            if isinstance(inner, DuplicateFieldKeyBlock):
                inner = inner.ignore_error_block
            if inner is not None:
                yield inner
        else:
            yield block


def _strings(library: Library) -> dict[str, str]:
    """The abbreviations of ``@string``, each of which may use those before it; months are known without one."""
    strings: dict[str, str] = {}
    for block in _blocks(library):
        if isinstance(block, String):
            strings[block.key.lower()] = evaluate(block.value, strings)
    return strings


def _entry(block: ParsedEntry, line: int, strings: dict[str, str]) -> Entry:
    entry = Entry(block.entry_type.lower(), block.key.strip(), line)
    for part in block.fields:
        # a comment line before a field's name, as biber allows
        name = part.key.rsplit("\n", 1)[-1].strip().lower()
        if not name or name.startswith("%"):
            continue
        value = evaluate(part.value, strings)
        if name in entry.fields:
            entry.repeated.setdefault(name, []).append(value)
        else:
            entry.fields[name] = value
    return entry


def evaluate(raw: str, strings: dict[str, str]) -> str:
    """A field's value: its parts (``{…}``, ``"…"``, numbers, abbreviations) joined at ``#``."""
    out: list[str] = []
    at = 0
    raw = raw.strip()
    while at < len(raw):
        token = _TOKEN.match(raw, at)
        if not token:  # a stray closing brace or comma
            at += 1
            continue
        at = token.end()
        if token.group(2):
            end = _closing(raw, at, "}")
            out.append(raw[at:end])
            at = end + 1
        elif token.group(3):
            end = _closing(raw, at, '"')
            out.append(raw[at:end])
            at = end + 1
        elif word := token.group(4):
            out.append(_word(word, strings))
    return "".join(out)


def _word(word: str, strings: dict[str, str]) -> str:
    if (known := strings.get(word.lower())) is not None:
        return known
    month = month_number(word) if len(word) == 3 else None
    return str(month) if month else word


def _closing(raw: str, at: int, mark: str) -> int:
    """Where a value that begins at `at` ends: at `mark` outside inner braces, or at the end of the text."""
    depth = 0
    while at < len(raw):
        char = raw[at]
        if char == "\\":
            at += 1
        elif char == mark and depth == 0:
            return at
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        at += 1
    return len(raw)


def _swallows(part: Field) -> bool:
    """Whether a value goes on into the next field, there being no comma between them."""
    raw = str(part.value)
    if raw[:1] not in ("{", '"'):
        return False
    end = _closing(raw, 1, "}" if raw[0] == "{" else '"') + 1
    return bool(_NEXT_FIELD.match(raw, end))


def _repair(line: int, lines: list[str], strings: dict[str, str], parsed: Parsed) -> None:
    """Reads a block that broke off once more, without comment lines, with the commas between its fields, and closed."""
    kept: list[str] = []
    for at in range(line - 1, len(lines)):
        if at >= line and _BLOCK.match(lines[at]):
            break
        if not lines[at].lstrip().startswith("%"):
            kept.append(lines[at])
    head = _HEAD.search("\n".join(kept))
    if not head or head.group(1).lower() in ("comment", "preamble", "string"):
        return
    source = "\n".join(kept).rstrip()
    source = re.sub(r'(["}])[ \t]*\n(\s*[A-Za-z][\w+.:-]*\s*=)', r"\1,\n\2", source)
    missing = source.count("{") - source.count("}")
    for attempt in (source, source + "\n" + "}" * max(1, missing), source.rstrip("} \n") + "}\n}"):
        for found in _blocks(Splitter(attempt).split()):
            if isinstance(found, ParsedEntry) and found.fields:
                parsed.entries.append(_entry(found, line, strings))
                if attempt is not source:
                    parsed.faults.append(Fault(line, head.group(2), "its braces do not match; read as far as it goes"))
                return
    parsed.faults.append(Fault(line, head.group(2), "not a BibTeX entry; check its commas and braces"))
