"""Tests of the signatures that receivers and outputs make."""

import pytest
import tensorflow as tf

from legacy.estimator.export import signatures
from legacy.estimator.export.outputs import PredictOutput, RegressionOutput
from legacy.estimator.export.supervised_outputs import TrainOutput

tf1 = tf.compat.v1


@pytest.fixture
def x():
    with tf.Graph().as_default():
        yield tf1.placeholder(tf.float32, [None], name="x")


def test_alternatives_are_signatures_of_their_own(x):
    doubled = 2 * x
    outputs = {"serving_default": PredictOutput(doubled + 1), None: PredictOutput(doubled)}
    made = signatures.build_all_signature_defs({"x": x}, outputs, {"raw": doubled, "y": {"x": x}})
    assert set(made) == {
        *("serving_default", "None", "raw:serving_default", "y:serving_default", "y:None")
    }
    assert made["raw:serving_default"].inputs["input"].name == doubled.name


def test_outputs_that_need_another_input_have_no_signature(x):
    other = tf1.placeholder(tf.float32, [None], name="other")
    outputs = {"a": PredictOutput(x + other), "b": PredictOutput(x), "c": RegressionOutput(x)}
    assert list(signatures.build_all_signature_defs({"x": x}, outputs)) == ["b"]


def test_sparse_inputs(x):
    sparse = tf1.sparse_placeholder(tf.float32, [None, 2])
    outputs = {"a": PredictOutput(tf.sparse.to_dense(sparse)), "b": PredictOutput(x)}
    made = signatures.build_all_signature_defs(sparse, outputs)
    assert list(made) == ["a"]
    assert made["a"].inputs["input"].coo_sparse.values_tensor_name == sparse.values.name


def test_what_cannot_be_served_is_left_out_of_serving_alone(x):
    outputs = {"train": TrainOutput(x)}
    assert signatures.build_all_signature_defs({"x": x}, outputs) == {}
    assert list(signatures.build_all_signature_defs({"x": x}, outputs, serving_only=False)) == [
        "train"
    ]


def test_outputs_must_be_a_dict(x):
    with pytest.raises(ValueError, match="`export_outputs` must be a dict. Received None"):
        signatures.build_all_signature_defs({"x": x}, None)
