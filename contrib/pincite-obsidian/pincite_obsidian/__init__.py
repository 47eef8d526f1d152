"""Source `obsidian`: a vault of Markdown notes, with front matter, tags, links, embedded files and block anchors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.spec import Context, Register, hookimpl, setting

PINCITE_CONTRACT = 1


@dataclass(frozen=True)
class Settings:
    """``[source.obsidian]``."""

    vault: str = setting("", description="The vault's name in Obsidian, where it is not that of its folder.")


def recognises(path: Path) -> float:
    """0.95 for a folder that Obsidian has opened as a vault."""
    return 0.95 if (path / ".obsidian").is_dir() else 0.0


def make(settings: Settings, context: Context) -> Any:
    """The source for `context.library`."""
    from pincite_obsidian.source import ObsidianVault

    if context.library is None:
        raise UsageError("source obsidian: no library is given; give the folder of an Obsidian vault")
    return ObsidianVault(context.library, settings.vault)


@hookimpl
def register_sources(register: Register) -> None:
    """Registers `obsidian`."""
    register("obsidian", make, settings=Settings, recognises=recognises)
