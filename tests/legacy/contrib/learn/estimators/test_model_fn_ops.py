"""Tests of the return value of a model function."""

import pytest
import tensorflow as tf

from legacy.contrib import learn
from legacy.contrib.learn.estimators import model_fn_ops

pytestmark = pytest.mark.usefixtures("session")


@pytest.mark.parametrize(
    ("mode", "missing"),
    [("train", "train_op"), ("train", "loss"), ("eval", "loss"), ("infer", "predictions")],
)
def test_a_mode_requires_its_parts(mode, missing):
    parts = {"predictions": 1.0, "loss": 2.0, "train_op": tf.no_op()}
    learn.ModelFnOps(mode, **parts)
    with pytest.raises(ValueError, match=f"Missing {missing}"):
        learn.ModelFnOps(mode, **{**parts, missing: None})


def test_parts_become_tensors():
    ops = learn.ModelFnOps("train", {"a": 1.0}, [2.0], tf.constant(3.0))
    assert ops.loss.shape == []
    assert isinstance(ops.train_op, tf.Operation)
    assert tf.is_tensor(ops.predictions["a"])
    with pytest.raises(ValueError, match="Loss must be scalar"):
        learn.ModelFnOps("eval", 1.0, [2.0, 3.0])
    with pytest.raises(TypeError, match="must be SessionRunHook instances"):
        learn.ModelFnOps("infer", 1.0, training_hooks=[5])


def test_output_alternatives_are_signatures_of_tf_estimator():
    scores = tf.constant([1.0])
    kinds = model_fn_ops.ProblemType
    alternatives = {
        "number": (kinds.LINEAR_REGRESSION, {"scores": scores}),
        "class": (kinds.CLASSIFICATION, {"probabilities": scores, "classes": tf.constant([1])}),
    }
    ops = learn.ModelFnOps("infer", scores, output_alternatives=alternatives)
    spec = ops.estimator_spec("number")
    assert set(spec.export_outputs) == {"number", "class", "serving_default"}
    assert spec.export_outputs["serving_default"].value is scores
    assert spec.export_outputs["class"].classes is None  # They are no strings.
    with pytest.raises(KeyError):
        ops.estimator_spec("other")
