"""Calibrations on disk: those that come with pincite, and the user's own under ``home/models/calibrations``."""

from __future__ import annotations

import base64
import json
import tomllib
from pathlib import Path

import numpy as np

from pincite.calibration.calibration import Calibration, Floats, of_card
from pincite.errors import ConfigError
from pincite.spec import ModelFacts

SCHEMA = 1
SHIPPED = Path(__file__).parent / "models"


def own_calibration(home: Path, model: str) -> Path:
    """Where the user's own calibration of a model is, by its card's name."""
    return home / "models" / "calibrations" / f"{model.lower()}.toml"


def calibration_for(facts: ModelFacts, home: Path) -> Calibration:
    """The user's own calibration of these vectors, else the one that comes with pincite, else floor and ceiling of the model's card."""
    id = facts.id.partition("+")[0]
    for path in (own_calibration(home, facts.name), SHIPPED / f"{facts.name.lower()}.toml"):
        if path.is_file():
            found = read_calibration(path)
            if found.model == id and found.width == facts.width:
                return found
    return of_card(facts)


def read_calibration(path: Path) -> Calibration:
    """Raises `ConfigError` that names the file."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
        mean = _floats(values["mean"])
        found = Calibration(
            str(values["model"]),
            mean,
            _floats(values["plane"]).reshape(-1, len(mean)),
            float(values["floor"]),
            float(values["ceiling"]),
            float(values.get("spread", 0.0)),
            _floats(values.get("query_mean", "")),
        )
        if values["schema"] != SCHEMA or found.ceiling <= found.floor or len(found.query_mean) not in (0, found.width):
            raise ValueError
        return found
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(f"{path}: not a calibration; remove it, or make it anew with `pincite calibrate`") from None


def write_calibration(calibration: Calibration, path: Path, notes: str) -> None:
    """Writes it; `notes` says how it was found."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"schema = {SCHEMA}",
        f"model = {json.dumps(calibration.model)}",
        f"notes = {json.dumps(notes)}",
        f"floor = {calibration.floor:.4f}",
        f"ceiling = {calibration.ceiling:.4f}",
        f"spread = {calibration.spread:.4f}",
        f'mean = "{_text(calibration.mean)}"',
        f'query_mean = "{_text(calibration.query_mean)}"',
        f'plane = "{_text(calibration.plane)}"',
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _floats(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text, validate=True), "<f2").astype(np.float32)


def _text(values: Floats) -> str:
    """Half precision, little endian, base64."""
    return base64.b64encode(values.astype("<f2").tobytes()).decode("ascii")
