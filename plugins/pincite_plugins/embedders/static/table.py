"""A table of token vectors in the layout of model2vec: a safetensors file and a tokenizer.json.

Tensors: the vectors, (tokens, width), under whatever name the largest two-dimensional one has; where there are any, ``weights``, one
factor a token, and ``mapping``, the row of each token (https://github.com/MinishLab/model2vec).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.errors import PinciteError
from pincite.text.well_formed import well_formed

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Table:
    """Vectors (tokens, width) as stored, `weights` (tokens,) or None, `rows` (ids → row) or None, and the tokenizer."""

    vectors: npt.NDArray[np.floating]
    weights: Floats | None
    rows: npt.NDArray[np.int64] | None
    tokenizer: Any
    unknown: int
    neutral: Floats

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text, unknown ones left out. Any text: a lone surrogate counts as a question mark."""
        clean = [well_formed(text) for text in texts]
        return [
            [id for id in one.ids if id != self.unknown]
            for one in self.tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        ]

    def mean(self, ids: Sequence[int]) -> Floats:
        """The unit vector of a text: the mean of its tokens' vectors; of no tokens, that of the whole table."""
        if not ids:
            return self.neutral
        at = np.array(ids)
        rows = at if self.rows is None else self.rows[at]
        found = self.vectors[rows].astype(np.float32)
        if self.weights is not None:
            found *= self.weights[at, None]
        total = found.sum(axis=0)
        length = float(np.linalg.norm(total))
        return np.asarray(total / length, np.float32) if length > 0 else self.neutral


def open_table(weights: Path, tokenizer: Path, name: str) -> Table:
    """Reads a table. Raises `PinciteError` where the extra is not installed or the file is not of this layout."""
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError:
        raise PinciteError(f"model {name}: needs safetensors; pip install 'pincite[static]'") from None
    try:
        tensors = load_file(weights)
        reader = Tokenizer.from_file(str(tokenizer))
    except Exception as error:  # both raise bare exceptions
        raise PinciteError(f"model {name}: cannot be read ({error}); get its files again") from None
    tables = [tensor for tensor in tensors.values() if tensor.ndim == 2]
    if not tables:
        raise PinciteError(f"model {name}: {weights} holds no table of vectors; it is not a static model")
    vectors = max(tables, key=lambda tensor: tensor.size)
    reader.no_padding()
    reader.no_truncation()
    own = tensors.get("weights")
    mapping = tensors.get("mapping")
    unknown = next((id for token in ("<unk>", "[UNK]") if (id := reader.token_to_id(token)) is not None), -1)
    middle = vectors.astype(np.float32).mean(axis=0)
    return Table(
        vectors,
        None if own is None else own.astype(np.float32).ravel(),
        None if mapping is None else mapping.astype(np.int64).ravel(),
        reader,
        unknown,
        np.asarray(middle / max(1e-12, float(np.linalg.norm(middle))), np.float32),
    )
