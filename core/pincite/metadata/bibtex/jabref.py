"""What JabRef keeps in comments: the directory of the files, and the tree of groups.

Source: https://docs.jabref.org/collect/jabref-groups and the ``jabref-meta`` comments that it writes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pincite.metadata.bibtex.entries import Entry

_META = re.compile(r"jabref-meta:\s*([\w-]+?)\s*:(.*)", re.DOTALL)
_GROUP = re.compile(r"(\d+)\s+(\w+):(.*)", re.DOTALL)


@dataclass(slots=True)
class Jabref:
    """`folders`: directories of files, the most particular first. `groups`: group path → keys of entries; `named`:
    group name → path, for groups whose members say so themselves (field ``groups``)."""

    folders: list[str] = field(default_factory=list)
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)


def read_comments(comments: list[str]) -> Jabref:
    """All that is said in a file's comments."""
    jabref = Jabref()
    particular: list[str] = []
    for comment in comments:
        found = _META.match(comment.strip())
        if not found:
            continue
        name, value = found.group(1).lower(), found.group(2).strip()
        if name.startswith("filedirectory"):
            folder = value.rstrip(";").replace("\\\\", "\\").strip()
            (jabref.folders if name == "filedirectory" else particular).append(folder)
        elif name in ("groupstree", "grouping"):
            _groups(value, jabref)
    jabref.folders[:0] = particular
    return jabref


def groups_of(entry: Entry, jabref: Jabref) -> tuple[str, ...]:
    """The paths ("Outer/Inner") of the groups that an entry is in."""
    paths = {path for path, keys in jabref.groups.items() if entry.key in keys}
    for name in entry.fields.get("groups", "").split(","):
        if name.strip():
            paths.add(jabref.named.get(name.strip(), name.strip()))
    return tuple(sorted(paths))


def _groups(value: str, jabref: Jabref) -> None:
    # Lines are folded wherever they are full; what parts the groups is a semicolon without a backslash
    value = value.replace("\r", "").replace("\n", "")
    above: list[str] = []
    for part in re.split(r"(?<!\\);", value):
        found = _GROUP.match(part.strip())
        if not found:
            continue
        level, kind, rest = int(found.group(1)), found.group(2), found.group(3)
        if kind == "AllEntriesGroup" or level < 1:
            continue
        name, *details = [piece.replace("\\\\", "\\").strip() for piece in re.split(r"\\+;", rest)]
        if not name:
            continue
        above = [*above[: level - 1], name]
        path = "/".join(above)
        jabref.named.setdefault(name, path)
        if kind in ("ExplicitGroup", "StaticGroup"):
            # after the name: how it combines with the group above (0, 1, 2), then keys (JabRef 3) or how it is shown
            jabref.groups[path] = frozenset(key for key in details[1:] if key)
