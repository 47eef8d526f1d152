from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

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


def test_a_question_in_another_language_leaves_the_order(tmp_path):
    asked = ask("Was hält den Seetang am Felsen fest, wenn der Sturm kommt?")
    candidates = [(1, "Preise"), (2, "Der Seetang haftet am Felsen."), (3, "Sturm")]
    assert MsMarco(Settings()).rerank(asked, candidates) == [(1, 0.0), (2, 0.0), (3, 0.0)]
    theirs = model(tmp_path, ["input_ids"], 1).rerank(asked, candidates)
    assert [item for item, _ in theirs] != [1, 2, 3]


def test_a_folder_without_the_model_is_one_line(tmp_path):
    with pytest.raises(PinciteError, match=r"has no model.onnx; set \[reranker\] folder"):
        MsMarco(Settings(folder=str(tmp_path))).rerank(ask("kelp"), [(1, "a"), (2, "b")])


def model(folder, inputs, width):
    """A cross-encoder of no sense: the sum of the ids, `width` times."""
    ids = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"]) for name in inputs]
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, width])
    nodes = [
        helper.make_node("Cast", [inputs[0]], ["reals"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["reals", "axis"], ["sum"], keepdims=1),
        helper.make_node("Expand", ["sum", "shape"], ["scores"]),
    ]
    given = [
        numpy_helper.from_array(np.array([1], np.int64), "axis"),
        numpy_helper.from_array(np.array([1, width], np.int64), "shape"),
    ]
    made = helper.make_model(
        helper.make_graph(nodes, "sum", ids, [scores], given), opset_imports=[helper.make_opsetid("", 17)]
    )
    onnx.save(made, folder / "model.onnx")
    theirs = MsMarco(Settings())._folder() / "tokenizer.json"
    (folder / "tokenizer.json").write_bytes(theirs.read_bytes())
    return MsMarco(Settings(folder=str(folder)))


def test_a_cross_encoder_without_types_reranks(tmp_path):
    found = model(tmp_path, ["input_ids", "attention_mask"], 1).rerank(ask("kelp"), [(1, "a"), (2, "a storm of kelp")])
    assert [item for item, _ in found] == [2, 1]


@pytest.mark.parametrize(
    ("inputs", "width", "said"),
    [(["input_ids"], 3, "gives 3 numbers for a pair"), (["pixels"], 1, "asks for 'pixels'")],
)
def test_a_model_of_another_kind_is_one_line(tmp_path, inputs, width, said):
    with pytest.raises(PinciteError, match=said):
        model(tmp_path, inputs, width).rerank(ask("kelp"), [(1, "a"), (2, "b")])


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_one_line_with_a_remedy(tmp_path, broken):
    model(tmp_path, ["input_ids"], 1)
    Path(tmp_path, broken).write_bytes(b"torn")
    with pytest.raises(PinciteError, match=r"cannot be read: .*; get model.onnx and tokenizer.json again") as caught:
        MsMarco(Settings(folder=str(tmp_path))).rerank(ask("kelp"), [(1, "a"), (2, "b")])
    assert "\n" not in str(caught.value)
