"""Tests of the names that work only in a graph."""

import pytest
import tensorflow as tf

from legacy.names import graph_only

tf1 = tf.compat.v1


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf1.placeholder(tf.float32),
        lambda: tf1.gradients([], []),
        lambda: tf1.metrics.mean(1.0),
        lambda: tf1.summary.merge_all(),
        lambda: tf1.train.string_input_producer(["a"]),
    ],
)
def test_functions_fail_with_eager_execution(call):
    name = f"tf.compat.v1.{'.'.join(call.__code__.co_names[1:])}"
    assert graph_only.needs_graph(name)
    with pytest.raises(RuntimeError, match="eager"):
        call()


def test_names_belong_to_their_modules():
    assert graph_only.provides_graph("tf.compat.v1.estimator.Estimator")
    assert not graph_only.provides_graph("tf.compat.v1.placeholder")
    assert not graph_only.needs_graph("tf.compat.v1")
