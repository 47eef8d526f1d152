"""What a verification says of right and of wrong servers, as figures: the tables of specs/22-endpoints.md.

    python tests/benchmarks/endpoint_agreement.py [--only WORD …]

Needs xllamacpp and gguf. Servers are llama.cpp's over files made of the default model's own blocks; where llama.cpp cannot be made to
misbehave (order, a window cut in silence), a small server over the local model.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from embedding_server import EmbeddingServer
from gguf_model import write_gguf
from llama_server import serving
from pincite.config.load import load
from pincite.plugin.making import context_without_library, make_with, plugins_of

FIGURES = ("raw", "lowest", "median", "ranks", "shift", "own", "window")
PREFIX = "passage: "


def embedder(url: str, **settings: Any) -> Any:
    """An endpoint embedder over the default model."""
    found = load(None)
    plugins = plugins_of(found)
    context = context_without_library(found, plugins, lambda line: None)
    return make_with(plugins, "embedder", "endpoint", {"url": url, "timeout": 300.0, **settings}, context)


def first_words(local: Any, text: str, tokens: int) -> str:
    """As much of a text as fits into so many tokens."""
    words = text.split(" ")
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if local.count([" ".join(words[:middle])])[0] <= tokens else (low, middle - 1)
    return text if low == len(words) else " ".join(words[:low])


@contextmanager
def small(rows: Callable[[np.ndarray], np.ndarray] | None = None, tokens: int = 0) -> Iterator[str]:
    """A server over the local model that changes rows, or cuts texts to so many tokens."""
    local = embedder("http://127.0.0.1:9").local

    def embed(texts: list[str]) -> np.ndarray:
        plain = [text.removeprefix(PREFIX) for text in texts]
        return local.embed([first_words(local, text, tokens) for text in plain] if tokens else plain, "passage")

    with EmbeddingServer(embed, rows=(lambda found, call: rows(found)) if rows else None) as server:
        yield server.url
    local.close()


def neighbours(rows: np.ndarray) -> np.ndarray:
    """Rows 0 and 1 exchanged, 2 and 3, and so on."""
    order = np.arange(len(rows))
    order[: len(rows) // 2 * 2] = order[: len(rows) // 2 * 2].reshape(-1, 2)[:, ::-1].reshape(-1)
    return rows[order]


def main() -> None:
    """Prints a line for each server."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", default=[""], metavar="WORD")
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory() as folder:

        @contextmanager
        def llama(weights: str = "q4_0", pooling: str = "", layers: int = 0) -> Iterator[str]:
            path = Path(folder) / f"{weights}-{layers}.gguf"
            if not path.exists():
                write_gguf(path, weights, layers=layers)
            with serving(path, pooling) as url:
                yield url

        servers: dict[str, tuple[Any, dict[str, Any]]] = {
            **{f"llama.cpp {weights}": (llama(weights), {}) for weights in ("f16", "q8_0", "q5_0", "q4_0", "q4_1")},
            "no prefix": (llama(), {"prefix": "server"}),
            "another model's prefix": (llama(), {"passage_prefix": "search_document: "}),
            "prefix of queries": (llama(), {"passage_prefix": "query: "}),
            "pooling cls": (llama(pooling="cls"), {}),
            "pooling last": (llama(pooling="last"), {}),
            **{f"another model, {layers} of 12 layers": (llama(layers=layers), {}) for layers in (11, 10, 8)},
            "order reversed": (small(lambda rows: rows[::-1]), {}),
            "order shifted by one": (small(lambda rows: np.roll(rows, 1, axis=0)), {}),
            "order of neighbours": (small(neighbours), {}),
            **{f"window of {tokens} tokens": (small(tokens=tokens), {}) for tokens in (446, 430, 384, 256, 128)},
        }
        for name, (server, settings) in servers.items():
            if not any(word in name for word in only):
                continue
            with server as url:
                one = embedder(url, **settings)
                found = one.verify(one.servers[0])
                one.close()
            figures = " ".join(f"{key} {found.figures[key]:.3f}" for key in FIGURES if key in found.figures)
            print(f"{name}: {found.verdict} | {figures} | {found.seen}", flush=True)


if __name__ == "__main__":
    main()
