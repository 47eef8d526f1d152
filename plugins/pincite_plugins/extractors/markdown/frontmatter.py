"""The head of a Markdown file: YAML or TOML between rules, or Pandoc's lines that begin with %."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field

_YAML = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+\+\+[ \t]*\r?\n(.*?)\r?\n\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_PERCENT = re.compile(r"%[ \t]*([^\r\n]*)(?:\r?\n(?!%)[ \t]+[^\r\n]*)*(?:\r?\n|\Z)")
_KEY = re.compile(r"^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*?))?[ \t]*\r?$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*-[ \t]+(?:(?:name|family)[ \t]*:[ \t]*)?(.+?)[ \t]*\r?$", re.MULTILINE)
_NAME = re.compile(r"^[ \t]+(?:-[ \t]+)?name[ \t]*:[ \t]*(.+?)[ \t]*\r?$", re.MULTILINE)

_FIELDS = {
    "title": "title",
    "subtitle": "subtitle",
    "author": "author",
    "authors": "author",
    "creator": "author",
    "date": "date",
    "year": "date",
    "created": "date",
    "lang": "language",
    "language": "language",
    "doi": "doi",
    "keywords": "keywords",
    "tags": "keywords",
    "abstract": "abstract",
    "summary": "abstract",
    "description": "description",
}


@dataclass(slots=True)
class FrontMatter:
    """Where the text begins, what the head says, and where in the file an abstract in it stands (or None)."""

    end: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    abstract: tuple[int, int] | None = None


def front_matter(source: str) -> FrontMatter:
    """Reads the head, if there is one. A broken one is text."""
    if found := _YAML.match(source):
        if not _KEY.search(found[1]):
            return FrontMatter()
        return _yaml(source, found.start(1), found.end(1), found.end())
    if found := _TOML.match(source):
        return _toml(found[1], found.end())
    if source.startswith("%"):
        return _percent(source)
    return FrontMatter()


def _yaml(source: str, start: int, stop: int, end: int) -> FrontMatter:
    """The plain part of YAML that heads of documents use: scalars, lists, and texts in blocks."""
    head = FrontMatter(end)
    keys = list(_KEY.finditer(source, start, stop))
    for at, key in enumerate(keys):
        name = _FIELDS.get(key[1].lower())
        if name is None:
            continue
        after = keys[at + 1].start() if at + 1 < len(keys) else stop
        value = (key[2] or "").strip()
        body = source[key.end() : after]
        if re.fullmatch(r"[|>][+-]?\d?", value) or not value:
            items = [item for item in _ITEM.findall(body) if not _KEY.match(item)] or _NAME.findall(body)
            text = "; ".join(map(_plain, items)) if items else " ".join(body.split())
            if name == "abstract" and not items and body.strip():
                head.abstract = (key.end(), after)
        else:
            text = " ".join([_plain(value), *body.split()])
            if name == "abstract":
                head.abstract = (key.start(2), key.end() + len(body.rstrip()) if body.strip() else key.end(2))
        if text:
            head.metadata.setdefault(name, text)
    return head


def _plain(value: str) -> str:
    """A scalar without its quotes; a list in brackets as "a; b"."""
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return "; ".join(part for item in value[1:-1].split(",") if (part := _plain(item)))
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _toml(text: str, end: int) -> FrontMatter:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return FrontMatter()
    head = FrontMatter(end)
    for key, value in data.items():
        name = _FIELDS.get(key.lower())
        if name and not isinstance(value, dict):
            head.metadata[name] = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return head


def _percent(source: str) -> FrontMatter:
    head = FrontMatter()
    for name in ("title", "author", "date"):
        found = _PERCENT.match(source, head.end)
        if found is None:
            break
        if found[1].strip():
            head.metadata[name] = found[1].strip()
        head.end = found.end()
    return head
