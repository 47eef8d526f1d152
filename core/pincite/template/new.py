"""A new distribution from the template of its kind."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

from pincite import __version__
from pincite.errors import UsageError
from pincite.spec import CONTRACT

KINDS = (
    "source",
    "extractor",
    "chunker",
    "embedder",
    "ranker",
    "fuser",
    "reranker",
    "picker",
    "provider",
    "planner",
    "command",
    "service",
)
"""Kinds that have a template. A store is too large for one: begin with a copy of plugins/pincite_plugins/stores/sqlite."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_plugin(name: str, kind: str, folder: Path) -> list[Path]:
    """Writes ``folder/pincite-NAME``; returns the files, in the order in which one reads them.

    Raises `UsageError` for a name that is none, a kind without a template, or a folder that exists already.
    """
    if kind not in KINDS:
        more = "; a store begins best as a copy of plugins/pincite_plugins/stores/sqlite" if kind == "store" else ""
        raise UsageError(f"there is no template for the kind '{kind}'; there is: {', '.join(KINDS)}{more}")
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(
            f"'{name}' cannot be the name of a plugin; use lower-case letters, digits and single hyphens ('my-notes')"
        )
    home = folder / f"pincite-{name}"
    if home.exists():
        raise UsageError(f"{home}: is there already; choose another name or --folder")
    words = {
        "name": name,
        "kind": kind,
        "module": f"pincite_{name.replace('-', '_')}",
        "Class": "".join(part.capitalize() for part in name.split("-")) + kind.capitalize(),
        "suffix": name.replace("-", ""),
        "version": ".".join(__version__.split(".")[:2]),
        "contract": str(CONTRACT),
    }
    places = {
        "README.md": "README.md.txt",
        f"{words['module']}.py": f"kinds/{kind}.py.txt",
        f"tests/test_{words['module'].removeprefix('pincite_')}.py": f"tests/{kind}.py.txt",
        "pyproject.toml": "pyproject.toml.txt",
        "tox.ini": "tox.ini.txt",
    }
    written = []
    for place, template in places.items():
        path = home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(filled(template, words), "utf-8")
        written.append(path)
    return written


def filled(template: str, words: dict[str, str]) -> str:
    """A file of the template with its words."""
    return Template(files(__package__).joinpath(template).read_text("utf-8")).substitute(words)
