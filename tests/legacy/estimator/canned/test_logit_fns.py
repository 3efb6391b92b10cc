"""Tests that logit functions receive the arguments that they name."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.compat.v1 import estimator as estimator_v1
from legacy.estimator.canned.v1 import baseline as baseline_v1
from legacy.estimator.canned.v2 import baseline, dnn, linear


@pytest.fixture
def call():
    assert estimator.experimental.call_logit_fn is estimator_v1.experimental.call_logit_fn
    return lambda fn: estimator.experimental.call_logit_fn(fn, "f", "train", {"a": 1}, "c")


def test_arguments(call):
    seen = []

    def logit_fn(features, params, mode):
        seen.append((features, params, mode))
        return tf.zeros([1])

    call(logit_fn)
    assert seen == [("f", {"a": 1}, "train")]
    assert call(lambda features: {"head": tf.ones([2])})["head"].shape == [2]


@pytest.mark.parametrize("wrong", [1.0, {"head": 1.0}, {1: tf.constant(1.0)}, None])
def test_refused(call, wrong):
    with pytest.raises(ValueError, match="logit_fn should return a Tensor or a dictionary"):
        call(lambda features: wrong)


def test_builders_of_the_v2_api():
    columns = [tf.feature_column.numeric_column("x")]
    with tf.Graph().as_default():
        features = {"x": tf.ones([2, 1])}
        deep = dnn.dnn_logit_fn_builder_v2(3, [4], columns, tf.nn.relu, None, False)
        wide = linear.linear_logit_fn_builder_v2(3, columns)
        assert deep(features, "train").shape == wide(features).shape == [2, 3]
        assert {v.name.split(":")[0] for v in tf.compat.v1.trainable_variables()} == {
            "dnn/hiddenlayer_0/kernel",
            "dnn/hiddenlayer_0/bias",
            "dnn/logits/kernel",
            "dnn/logits/bias",
            "linear_model/x/weights",
            "linear_model/bias_weights",
        }
    with pytest.raises(ValueError, match="units must be an int"):
        dnn.dnn_logit_fn_builder_v2("3", [4], columns, None, None, False)


def of_v1(features):
    logits = baseline_v1.baseline_logit_fn_builder(2)(features)
    return tf.compat.v1.trainable_variables(), logits


@pytest.mark.parametrize(
    "build", [of_v1, lambda features: baseline.baseline_model_fn_builder_v2(features, 2)]
)
def test_baselines_repeat_their_bias(build):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        (bias,), logits = build({"age": [[23.0], [31.0], [40.0]]})
        assert bias.name == "baseline/bias:0"
        bias.load([10.0, 5.0], session)
        assert session.run(logits).tolist() == [[10.0, 5.0]] * 3
