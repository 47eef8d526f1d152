"""Making a model's own files once: a lock, a temporary folder beside, one atomic rename.

A crash at any point leaves a temporary folder that the next run removes, never half a model. Two processes at once: one makes,
the other waits for it.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import Cancelled, PinciteError
from pincite.locks import try_lock
from pincite.models.card import Card
from pincite.models.origin import sha256

MANIFEST = "made.json"


def models_folder(home: Path) -> Path:
    """Where every model has its folder."""
    return home / "models"


def made(home: Path, card: Card, maker: str) -> Path | None:
    """The folder of a model that was made by `maker` (name and version of the code), or None."""
    folder = models_folder(home) / card.folder
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return folder if manifest.get("maker") == maker else None


def make_once(
    home: Path,
    card: Card,
    maker: str,
    build: Callable[[Path], None],
    *,
    note: Callable[[str], None] = lambda line: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """The model's folder; `build` fills an empty one where there is none yet. Raises `PinciteError` for a full or read-only disk."""
    there = made(home, card, maker)
    if there is not None:
        return there
    root = models_folder(home)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _locked(root / f".{card.folder}.lock", note, cancelled):
            there = made(home, card, maker)
            if there is not None:
                return there
            return _make(root, card, maker, build)
    except OSError as error:
        raise PinciteError(
            f"model {card.name}: {root} cannot be written ({error.strerror or error}); free some space or set PINCITE_HOME"
        ) from error


def unsound(folder: Path) -> list[str]:
    """Names of files whose bytes are not those that were made, by SHA-256."""
    try:
        listed = json.loads((folder / MANIFEST).read_text("utf-8"))["sha256"]
    except (OSError, ValueError, KeyError):
        return [MANIFEST]
    return [name for name, digest in listed.items() if not (folder / name).is_file() or sha256(folder / name) != digest]


def _make(root: Path, card: Card, maker: str, build: Callable[[Path], None]) -> Path:
    for left in root.glob(f".{card.folder}.making-*"):
        shutil.rmtree(left, ignore_errors=True)
    making = root / f".{card.folder}.making-{os.getpid()}"
    target = root / card.folder
    try:
        making.mkdir()
        build(making)
        digests = {path.name: sha256(path) for path in sorted(making.iterdir())}
        manifest = {"schema": 1, "name": card.name, "revision": card.revision, "maker": maker, "sha256": digests}
        (making / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8")
        for path in making.iterdir():
            _sync(path)
        if target.exists():  # of another maker: a folder cannot be replaced in one step everywhere
            old = root / f".{card.folder}.making-old-{os.getpid()}"
            target.rename(old)
            making.rename(target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            making.rename(target)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return target


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@contextmanager
def _locked(path: Path, note: Callable[[str], None], cancelled: Callable[[], bool]) -> Iterator[None]:
    """Holds a lock of the operating system, which a dying process cannot leave behind."""
    with path.open("a+b") as file:
        told = False
        while not try_lock(file):
            if not told:
                note(f"another process is preparing this model; waiting ({path.name})")
                told = True
            if cancelled():
                raise Cancelled("cancelled while waiting for the model")
            time.sleep(0.1)
        yield
