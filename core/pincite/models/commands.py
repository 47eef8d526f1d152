"""What ``pincite models list|show|add|verify`` do, as plain functions of plain values."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from pincite.config.sections import defaults
from pincite.errors import PinciteError, UsageError
from pincite.models.card import Card, Origin, read_card
from pincite.models.make import models_folder, unsound
from pincite.models.origin import NotHere, find
from pincite.models.shelf import cards, find_card, own_cards
from pincite.models.verify import Verdict, checks_of, verify
from pincite.spec import Embedder


@dataclass(frozen=True, slots=True)
class Listed:
    """A model as a list shows it. `state`: "prepared", "here" (its files are), "not here" (`get` says how), "not yet run"."""

    card: Card
    state: str
    size: int
    get: str


def list_models(home: Path) -> list[Listed]:
    """Every card, by name, with what of it is on this machine. `size` in bytes of the prepared folder. Opens no connection."""
    return [_listed(card, home) for card in cards(home).values()]


def show_model(name: str, home: Path) -> dict[str, object]:
    """A card as plain data, with its state and folder. Raises `UnknownName`."""
    card = find_card(name, home)
    listed = _listed(card, home)
    values = _what_is_set(card) | {"origin": [_what_is_set(origin) for origin in card.origin]}
    folder = models_folder(home) / card.folder
    return values | {
        "id": card.id,
        "state": listed.state,
        "get": listed.get,
        "folder": str(folder) if folder.is_dir() else None,
        "bytes": listed.size,
        "checks": len(checks_of(card, home)),
    }


def add_model(path: Path, home: Path, *, replace: bool = False) -> Card:
    """Puts a card (and ``NAME.checks.toml`` beside it, if there) among the user's own. Raises `UsageError` where the name is taken."""
    card = read_card(path)
    target = own_cards(home) / f"{card.name.lower()}.toml"
    if card.name in cards(home) and not replace:
        raise UsageError(f"a model called '{card.name}' exists; change 'name' in {path}, or pass --replace")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    checks = path.with_name(f"{path.stem}.checks.toml")
    if checks.is_file():
        shutil.copyfile(checks, target.with_name(f"{card.name.lower()}.checks.toml"))
    return card


def verify_model(card: Card, embedder: Embedder, home: Path) -> list[Verdict]:
    """Computes the card's recorded vectors again. Raises `PinciteError` where files were altered since they were made, or the card
    has no checks."""
    checks = checks_of(card, home)
    if not checks:
        raise PinciteError(f"model {card.name}: its card has no recorded vectors; nothing can be verified")
    embedder.count([""])  # prepares it
    folder = models_folder(home) / card.folder
    broken = unsound(folder) if folder.is_dir() else []
    if broken:
        raise PinciteError(
            f"model {card.name}: {', '.join(broken)} changed since it was made; remove {folder} to have it made again"
        )
    return verify(embedder, checks)


def _what_is_set(part: Card | Origin) -> dict[str, object]:
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, default in defaults(type(part)).items()
        if (value := getattr(part, key)) != default
    }


def _listed(card: Card, home: Path) -> Listed:
    folder = models_folder(home) / card.folder
    size = sum(path.stat().st_size for path in folder.iterdir()) if folder.is_dir() else 0
    if folder.is_dir():
        return Listed(card, "prepared", size, "")
    try:
        find(card, hub=None)
    except NotHere as error:
        state = "not yet run" if card.status != "ready" else "not here"
        return Listed(card, state, 0, str(error))
    return Listed(card, "here", 0, "")
