"""Tests of model functions and receivers that are wrapped as functions to call."""

import pytest
import tensorflow as tf

from legacy.estimator.export.receivers import ServingInputReceiver
from legacy.estimator.spec import EstimatorSpec
from legacy.private_api.wrapped_graph import EstimatorWrappedGraph

tf1 = tf.compat.v1


def model_fn(features, labels, mode):
    weight = tf.Variable(lambda: tf.constant(5.0), name="weight")
    train_op = tf1.assign_add(tf1.train.get_global_step(), 1)
    predictions = features["x"] * weight
    return EstimatorSpec(mode, predictions, tf.reduce_sum(predictions - labels), train_op)


def test_training_counts_steps():
    graph = EstimatorWrappedGraph()
    with pytest.raises(ValueError, match="wrap a model function first"):
        _ = graph.estimator_spec
    arguments = [{"x": tf.constant([2.0])}, tf.constant([1.0]), "train"]
    train = graph.wrap_model_fn(model_fn, "train", arguments)
    assert sorted(graph.variables) == ["global_step", "weight"]
    assert train(tf.constant([3.0]), tf.constant([1.0]))["predictions"].numpy() == [15.0]
    assert graph.global_step.numpy() == 1
    assert graph.estimator_spec.mode == "train"
    with pytest.raises(ValueError, match="only called once"):
        graph.wrap_model_fn(model_fn, "train", arguments)


def test_predictions_change_nothing():
    graph = EstimatorWrappedGraph()
    arguments = {"features": {"x": tf.constant([2.0])}, "labels": 0.0, "mode": "infer"}
    predict = graph.wrap_model_fn(model_fn, "infer", kwargs=arguments)
    assert {k: v.numpy() for k, v in predict(tf.constant([3.0])).items()} == {"predictions": [15.0]}
    assert graph.global_step.numpy() == 0


def test_each_receiver_is_a_function():
    def receiver_fn():
        first, second = (tf1.placeholder(tf.string) for _ in range(2))
        joined = tf.strings.join([first, second])
        features = {"x": tf.strings.join([joined, "."])}
        return ServingInputReceiver(features, {"a": first, "b": second}, {"joined": joined})

    functions = {
        name: function
        for function, name in EstimatorWrappedGraph().wrap_input_receiver_fn(receiver_fn)
    }
    assert functions[None](tf.constant("1"), tf.constant("2"))["x"].numpy() == b"12."
    assert functions["joined"](tf.constant("3"))["x"].numpy() == b"3."


def test_receiver_of_a_sparse_tensor():
    def receiver_fn():
        sparse = tf1.sparse_placeholder(tf.float32)
        return ServingInputReceiver({"x": sparse}, {"x": sparse})

    with pytest.raises(ValueError, match="must be tensors"):
        EstimatorWrappedGraph().wrap_input_receiver_fn(receiver_fn)
