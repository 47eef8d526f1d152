import pytest

from pincite.errors import PinciteError
from pincite.testing import RerankerKit
from pincite.testing.samples import ask
from pincite_rerank import MsMarco, Settings


class TestMsMarco(RerankerKit):
    name = "ms-marco"
    settings = {"threads": 2}
    seconds = 120


def test_a_passage_that_answers_comes_before_one_that_shares_words():
    candidates = [
        (1, "The storm of 1987 is remembered in many songs about the rock."),
        (2, "Kelp is anchored to the sea floor by a holdfast, a root-like structure that grips the stone."),
        (3, "Kelp prices rose again in the spring."),
    ]
    found = MsMarco(Settings(threads=2)).rerank(ask("what keeps kelp attached to the rock?"), candidates)
    assert found[0][0] == 2


def test_a_folder_without_the_model_is_one_line(tmp_path):
    with pytest.raises(PinciteError, match=r"has no model.onnx; set \[reranker\] folder"):
        MsMarco(Settings(folder=str(tmp_path))).rerank(ask("kelp"), [(1, "a"), (2, "b")])
