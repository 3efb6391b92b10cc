"""Tests of the metrics of an evaluation."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import learn
from legacy.contrib.learn.estimators import evaluation_metrics


def difference(predictions, labels):
    return predictions - labels


def test_metrics_name_their_predictions():
    predictions = {"a": 10, "b": 20}
    metrics = {
        ("first", "a"): difference,
        ("second", "b"): difference,
        "third": learn.MetricSpec(difference, prediction_key="b", label_key="b"),
    }
    found = evaluation_metrics.make(metrics, {}, {"a": 1, "b": 2}, predictions)
    assert found == {"first": 9, "second": 18, "third": 18}
    assert evaluation_metrics.make({"one": difference}, {}, {"y": 3}, 5) == {"one": 2}
    with pytest.raises(ValueError, match="no prediction, but predictions are dict"):
        evaluation_metrics.make({"one": difference}, {}, 1, predictions)
    with pytest.raises(ValueError, match="predictions are not dict"):
        evaluation_metrics.make({("one", "a"): difference}, {}, 1, 5)
    with pytest.raises(ValueError, match="with len 3, expected 2"):
        evaluation_metrics.make({("one", "a", "b"): difference}, {}, 1, predictions)


@pytest.mark.usefixtures("session")
def test_updates_are_apart_from_values():
    value, update = tf.constant(1.0), tf.constant(2.0)
    updates, values = evaluation_metrics.split({"pair": (value, update), "plain": value})
    assert values == {"pair": value, "plain": value}
    assert list(updates.control_inputs) == [update.op]
    assert evaluation_metrics.split({"plain": value})[0] is None


def test_batches_become_examples_and_whole_arrays():
    batches = [{"x": np.array([1, 2])}, {"x": np.array([3])}]
    examples = [each for batch in batches for each in evaluation_metrics.examples(batch)]
    assert examples == [{"x": 1}, {"x": 2}, {"x": 3}]
    assert evaluation_metrics.concatenated(batches)["x"].tolist() == [1, 2, 3]


def test_a_sparse_prediction_alone_is_divided_by_example():
    batch = tf.compat.v1.SparseTensorValue(
        np.array([[0, 1], [2, 0]]), np.array([5, 7]), np.array([3, 2])
    )
    found = evaluation_metrics.examples(batch)
    assert [(one.indices.tolist(), one.values.tolist()) for one in found] == [
        ([[1]], [5]), ([], []), ([[0]], [7]),
    ]  # fmt: skip
