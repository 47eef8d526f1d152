"""Front matter of a Markdown file: the block between ``---`` lines (YAML) or ``+++`` lines (TOML) at its beginning.

Of YAML a subset is read, the one that notes use: ``key: value``, quoted values, ``[a, b]``, lists of ``- value`` or of
``- name: value``, and texts after ``|`` or ``>``. What is not understood is left out; nothing raises.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

Value = str | list[str]

_ENTRY = re.compile(r"""\s*"[^"]*"|\s*'[^']*'|[^,]+""")
_KEY = re.compile(r"([A-Za-z_][\w .-]*?)\s*:(?:\s+(.*))?$")


def split_front_matter(text: str) -> tuple[str, str]:
    """(front matter with its fences, the rest). The first is "" where there is none; both together are the text."""
    mark = len(text) - len(text.removeprefix("\ufeff"))
    fence = text[mark : mark + 3]
    if fence not in ("---", "+++"):
        return "", text
    ends = (fence, "...") if fence == "---" else (fence,)
    at = mark
    for number, line in enumerate(text[mark:].splitlines(keepends=True)):
        at += len(line)
        word = line.rstrip()
        if number == 0 and word != fence:
            break
        if number and word in ends:
            return text[:at], text[at:]
    return "", text


def read_front_matter(text: str) -> dict[str, Value]:
    """The keys (in lower case) and values of a text's front matter; empty where there is none."""
    block = split_front_matter(text)[0].lstrip("\ufeff")
    lines = block.splitlines()[1:-1]
    if block.startswith("+++"):
        return _toml("\n".join(lines))
    return _yaml(lines)


def texts(value: Value | None) -> tuple[str, ...]:
    """A value as several: a list's entries, or one text cut at commas or semicolons."""
    if value is None:
        return ()
    parts = value if isinstance(value, list) else re.split(r"[,;]", value)
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def text(value: Value | None) -> str:
    """A value as one text."""
    return ", ".join(value) if isinstance(value, list) else value or ""


def _toml(block: str) -> dict[str, Value]:
    try:
        data = tomllib.loads(block)
    except tomllib.TOMLDecodeError:
        return {}
    return {key.lower(): value for key, raw in data.items() if (value := _plain(raw)) is not None}


def _plain(raw: object) -> Value | None:
    if isinstance(raw, Mapping):
        return None
    if isinstance(raw, Sequence) and not isinstance(raw, str):
        return [str(part) for part in raw if not isinstance(part, Mapping)]
    return str(raw)


def _yaml(lines: list[str]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        key = _KEY.match(line)
        if not key or line[:1] in " \t#-":
            continue
        name, rest = key.group(1).lower(), (key.group(2) or "").strip()
        block: list[str] = []
        while at < len(lines) and (not lines[at].strip() or lines[at][:1] in " \t" or lines[at].startswith("- ")):
            block.append(lines[at])
            at += 1
        value = _value(rest, block)
        if value:
            found[name] = value
    return found


def _value(rest: str, block: list[str]) -> Value:
    if rest[:1] in ("|", ">"):
        joiner = "\n" if rest[0] == "|" else " "
        return joiner.join(line.strip() for line in block).strip()
    if rest.startswith("["):
        inside = " ".join([rest, *(line.strip() for line in block)]).strip("[] ")
        return [_scalar(part) for part in _ENTRY.findall(inside) if _scalar(part)]
    entries = [line.strip()[2:].strip() for line in block if line.strip().startswith("- ")]
    if not rest and entries:
        return [_scalar(re.sub(r"^name:\s*", "", entry)) for entry in entries]
    # a plain value may go on in indented lines
    return _scalar(" ".join([rest, *(line.strip() for line in block if line.strip())]) if rest else rest)


def _scalar(raw: str) -> str:
    raw = raw.strip()
    if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'":
        inner = raw[1:-1]
        return inner.replace('\\"', '"').replace("\\\\", "\\") if raw[0] == '"' else inner.replace("''", "'")
    raw = re.sub(r"\s#.*$", "", raw).strip()
    return "" if raw in ("~", "null") else raw
