"""Tests of the outputs of training and evaluation."""

import pytest
import tensorflow as tf
import tf_keras

from legacy.estimator.export import supervised_outputs

tf1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


@pytest.fixture
def one():
    return tf1.placeholder(tf.float32, [None], name="one")


def test_names_get_a_prefix_unless_they_have_it(one):
    output = supervised_outputs.EvalOutput(
        {"a": one, "loss_b": one}, {("c", "d"): one, "predictions": one}, {"metrics_2": (one, one)}
    )
    assert set(output.loss) == {"loss/a", "loss_b"}
    assert set(output.predictions) == {"predictions/c/d", "predictions"}
    assert set(output.metrics) == {"metrics_2/value", "metrics_2/update_op"}


def test_single_values_have_the_names_of_their_kind(one):
    output = supervised_outputs.TrainOutput(one, one, (one, one))
    assert [*output.loss, *output.predictions] == ["loss", "predictions"]
    assert set(output.metrics) == {"metrics/value", "metrics/update_op"}


def test_an_update_operation_becomes_a_tensor(one):
    output = supervised_outputs.EvalOutput(one, metrics={"m": (one, tf.no_op())})
    assert output.metrics["metrics/m/update_op"].name == "metric_op_wrapper:0"


def test_keras_metrics(one):
    metric = tf_keras.metrics.Mean()
    metric.update_state(one)
    output = supervised_outputs.EvalOutput(one, metrics={"mean": metric})
    assert set(output.metrics) == {"metrics/mean/value", "metrics/mean/update_op"}


def test_signatures(one):
    train = supervised_outputs.TrainOutput(one, {"a": one}).as_signature_def({"x": one})
    assert train.method_name == "tensorflow/supervised/training"
    assert set(train.outputs) == {"loss", "predictions/a"}
    evaluation = supervised_outputs.EvalOutput().as_signature_def({"x": one})
    assert evaluation.method_name == "tensorflow/supervised/eval"
    assert not evaluation.outputs
    with pytest.raises(ValueError, match="`inputs` cannot be None or empty"):
        supervised_outputs.EvalOutput(one).as_signature_def({})


def test_wrong_outputs(one):
    for arguments, message in (
        (["x"], "loss output value must be a Tensor"),
        ([{1: one}], "loss output key must be a string"),
        ([one, [3]], "predictions output value must be a Tensor"),
        ([one, None, (15.3, 4)], "metrics output value must be a Tensor"),
        ([one, None, {"a": (one, 4)}], "metrics/a update_op must be a Tensor or Operation"),
        ([one, None, {2: (one, one)}], "metrics output key must be a string"),
    ):
        with pytest.raises(ValueError, match=message):
            supervised_outputs.EvalOutput(*arguments)
