"""Static vectors (specs/09-vectors.md), on a table of six tokens in model2vec's layout."""

import numpy as np
import pytest

from pincite.errors import PinciteError, UsageError
from pincite.spec import Context

save_file = pytest.importorskip("safetensors.numpy", reason="needs pincite[static]").save_file
tokenizers = pytest.importorskip("tokenizers")

from pincite_plugins.embedders.static import StaticSettings, make  # noqa: E402

WORDS = {"[UNK]": 0, "tide": 1, "moon": 2, "eel": 3, "river": 4}
TABLE = np.array([[9, 9], [1, 0], [0, 1], [-1, 0], [0, -1]], np.float16)
CARD = """
schema = 1
name = "pond"
embedder = "static"
revision = "1"
licence = "MIT"
width = {width}
tokens = 1000
room = 1000
pooling = "mean"
[[origin]]
kind = "folder"
folder = '{folder}'
format = "model2vec"
files = {{ weights = "model.safetensors", tokenizer = "tokenizer.json" }}
"""


@pytest.fixture
def pond(tmp_path):
    """A function that writes the model with some tensors and makes the embedder."""

    def write(width=2, **tensors):
        save_file({"embeddings": TABLE, **tensors}, tmp_path / "model.safetensors")
        made = tokenizers.Tokenizer(tokenizers.models.WordLevel(WORDS, unk_token="[UNK]"))
        made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        made.save(str(tmp_path / "tokenizer.json"))
        card = tmp_path / "pond.toml"
        card.write_text(CARD.format(width=width, folder=tmp_path))
        return make(StaticSettings(model=str(card)), Context(home=tmp_path))

    return write


def test_a_text_is_the_mean_of_its_tokens(pond):
    found = pond().embed(["tide", "tide moon", "tide tide moon"], "passage")
    assert found == pytest.approx(np.array([[1, 0], [0.5**0.5, 0.5**0.5], [0.8**0.5, 0.2**0.5]]), abs=1e-6)


def test_unknown_words_do_not_count(pond):
    made = pond()
    assert made.embed(["tide zzz"], "query") == pytest.approx(made.embed(["tide"], "query"))
    assert made.count(["tide zzz moon", ""]) == [2, 0]


def test_weights_and_a_mapping_are_followed(pond):
    weighted = pond(weights=np.array([1, 3, 1, 1, 1], np.float32))
    assert weighted.embed(["tide moon"], "passage")[0] == pytest.approx([0.9**0.5, 0.1**0.5], abs=1e-6)
    mapped = pond(mapping=np.array([0, 3, 2, 1, 4], np.int32))
    assert mapped.embed(["tide"], "passage")[0] == pytest.approx([-1, 0])


def test_a_text_without_a_known_word_has_a_vector(pond):
    found = pond().embed(["", "zzz", "tide eel"], "passage")  # the last one's tokens cancel out
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1])


def test_another_width_than_the_cards_is_refused(pond):
    with pytest.raises(UsageError, match="is 2 wide, and its card says 3"):
        pond(width=3).embed(["tide"], "passage")


def test_a_file_that_is_no_table_is_named(pond, tmp_path):
    made = pond()
    (tmp_path / "model.safetensors").write_bytes(b"tides")
    with pytest.raises(PinciteError, match="model pond: cannot be read"):
        made.embed(["tide"], "passage")


def test_a_model_of_another_embedder_is_refused(tmp_path):
    with pytest.raises(UsageError, match='use = "onnx"'):
        make(StaticSettings(model="multilingual-e5-small"), Context(home=tmp_path))
