"""What Obsidian's Markdown says beside its words: links, embedded files, tags, block anchors. Every step goes through a note once.

https://help.obsidian.md/links, …/tags, …/embeds
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_INLINE = re.compile(r"(?<!`)(`+)(?!`)[^`\n]*\1(?!`)|%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)", re.S)
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#^\n]+)")
_EMBED = re.compile(
    r"!\[\[([^\[\]|#\n]+)(?:[|#][^\[\]\n]*)?\]\]|!\[[^\[\]\n]*\]\((?:<([^<>\n]+)>|([^()\s]+))(?:\s[^()\n]*)?\)"
)
_TAG = re.compile(r"(?:^|(?<=\s))#([\w/-]+)")

_ANCHOR = re.compile(r"\^([A-Za-z0-9-]+)")
_ITEM = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_LEAD = re.compile(r"[\s>]*(?:\[!\w[\w-]*\][+-]?[ \t]*|\[\^[^\]\s]+\]:[ \t]*|#{1,6}[ \t]+)?")
_RULE = re.compile(r"[\s|:-]+")
_WIKI = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_WEB = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)|\[\^[^\[\]\s]+\]")
_MARKS = re.compile(r"\*\*|__|~~|==|`|(?<!\w)[*_](?=\w)|(?<=[\w.,;:!?)])[*_](?!\w)")


def seen(body: str) -> str:
    """The body with blanks in place of code and comments, line for line, in which nothing is a link, a tag or an anchor."""
    lines, fence = [], ""
    for line in body.split("\n"):
        found = _FENCE.match(line)
        if fence:
            closes = found and found[1].startswith(fence) and not line[found.end() :].strip()
            fence = "" if closes else fence
            line = ""
        elif found:
            fence, line = found[1], ""
        lines.append(line)
    return _INLINE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), "\n".join(lines))


def links(shown: str) -> tuple[str, ...]:
    """The notes that are linked to."""
    return tuple(dict.fromkeys(name for found in _LINK.findall(shown) if (name := found.strip())))


def embeds(shown: str) -> tuple[str, ...]:
    """The files that are embedded, as they are written: ``![[name]]``, ``![](path)``."""
    found = (wiki.strip() or unquote(pointed or bare) for wiki, pointed, bare in _EMBED.findall(shown))
    return tuple(dict.fromkeys(name.partition("#")[0] for name in found))


def tags(shown: str) -> tuple[str, ...]:
    """The tags in the text: each has a character that is no digit."""
    return tuple(
        dict.fromkeys(tag for found in _TAG.findall(shown) if not (tag := found.strip("/")).isdecimal() and tag)
    )


def anchored(body: str, shown: str) -> Iterator[tuple[str, str]]:
    """(id, words) of each block that ends in ``^id``: a paragraph, an entry of a list, or what is above an anchor on its own line."""
    lines, masked = body.split("\n"), shown.split("\n")
    floor = 0  # the line after the last anchor: what is above belongs to another block
    for at, line in enumerate(masked):
        last = line.split()[-1:]
        found = _ANCHOR.fullmatch(last[0]) if last else None
        if found is None:
            continue
        alone = line.strip(" \t>") == last[0]
        end = at
        if alone:
            while end > floor and not masked[end - 1].strip() and not lines[end - 1].strip():
                end -= 1
            end -= 1
        begin = end
        while begin > floor and lines[begin - 1].strip() and (alone or not _ITEM.match(lines[begin])):
            begin -= 1
        block = lines[begin : end + 1]
        if not alone and block:
            block[-1] = block[-1].rstrip().removesuffix(last[0])
        floor = at + 1
        if words := " ".join(filter(None, map(plain, block))):
            yield found[1], words


def plain(line: str) -> str:
    """The words of a line, without its marks."""
    line = line[_LEAD.match(line).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    if found := _ITEM.match(line):
        line = line[found.end() :]
    if line.startswith("|"):
        line = "" if _RULE.fullmatch(line) else line.replace("|", " ")
    line = _WIKI.sub(lambda found: found[2] or found[1], line)
    line = _WEB.sub(lambda found: found[1] or "", line)
    return " ".join(_MARKS.sub("", line).split())
