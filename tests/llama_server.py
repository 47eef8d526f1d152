"""llama.cpp's own server, run in this process by xllamacpp."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(path: Path, pooling: str = "", context: int = 2048, batch: int = 0, slots: int = 4) -> Iterator[str]:
    """The address of llama.cpp's server over a model file."""
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(path)
    wanted.embedding = True
    wanted.n_ctx, wanted.n_parallel = context, slots
    wanted.n_batch = wanted.n_ubatch = batch or context
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    # several threads wait for each other in a loop, which takes minutes where processors are shared
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.warmup = False
    wanted.verbosity = 0
    if pooling:
        wanted.pooling_type = getattr(xllamacpp.llama_pooling_type, f"LLAMA_POOLING_TYPE_{pooling.upper()}")
    server = xllamacpp.Server(wanted)
    try:
        yield server.listening_address
    finally:
        del server
