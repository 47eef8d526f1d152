"""What a card says of the vectors that its model makes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pincite.models.card import Card
from pincite.spec import ModelFacts


def facts_of(card: Card, id: str = "") -> ModelFacts:
    """From the card alone, so that asking loads and prepares nothing. `id`: where vectors are not comparable with the card's own."""
    return ModelFacts(
        id=id or card.id,
        name=card.name,
        width=card.width,
        window=card.room,
        tokenizer=card.tokenizer or card.name,
        floor=card.floor,
        ceiling=card.ceiling,
        mean=_mean(card.mean),
        query_mean=_mean(card.query_mean),
        languages=card.languages,
    )


def _mean(values: tuple[float, ...]) -> npt.NDArray[np.float32] | None:
    return np.array(values, np.float32) if values else None
