"""The shelf: every card there is, those that come with pincite and those that the user added under ``home/models/cards``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from pincite.config.load import nearest
from pincite.errors import UnknownName, UsageError
from pincite.models.card import Card, own_card, read_card


def own_cards(home: Path) -> Path:
    """Where the user's cards are."""
    return home / "models" / "cards"


def cards(home: Path | None = None) -> dict[str, Card]:
    """Name → card, sorted. A user's card takes the place of a built-in one of the same name. Raises `ConfigError` for a broken one."""
    found = {card.name: card for card in _built_in()}
    if home is not None and own_cards(home).is_dir():
        for path in sorted(own_cards(home).glob("*.toml")):
            card = read_card(path)
            found[card.name] = card
    return dict(sorted(found.items()))


def find_card(name: str, home: Path | None = None) -> Card:
    """The card of a name or alias, or in the file that `name` is a path of. Raises `UnknownName` that lists what there is."""
    if name.endswith(".toml"):
        return read_card(Path(name).expanduser())
    wanted = name.casefold()
    if not (home and own_cards(home).is_dir()):  # most have no card of their own: one file is read, not all
        file = _folder().joinpath(f"{wanted}.toml")
        if file.is_file() and (card := own_card(file.read_text("utf-8"))).name.casefold() == wanted:
            return card
    shelf = cards(home)
    for card in shelf.values():
        if wanted in {card.name.casefold(), *(alias.casefold() for alias in card.aliases)}:
            return card
    near = nearest(name, shelf)
    hint = f"did you mean '{near}'? " if near else ""
    raise UnknownName(
        f"no model is called '{name}'; {hint}there is: {', '.join(shelf)} (or give the path of a model card, NAME.toml)"
    )


def card_for(embedder: str, name: str, home: Path | None = None) -> Card:
    """The same for the embedder that asks. Raises `UsageError` where the model needs another."""
    card = find_card(name, home)
    if card.embedder != embedder:
        raise UsageError(
            f'model {card.name} needs the embedder {card.embedder}: set [embedder] use = "{card.embedder}"'
        )
    return card


def _folder() -> Traversable:
    return resources.files("pincite.models").joinpath("cards")


def _built_in() -> Iterator[Card]:
    for entry in _folder().iterdir():
        if entry.name.endswith(".toml") and not entry.name.endswith(".checks.toml"):
            yield own_card(entry.read_text("utf-8"))
