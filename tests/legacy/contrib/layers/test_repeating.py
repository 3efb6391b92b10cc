"""Tests of sequences of layers."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def shapes():
    return {v.op.name: v.shape.as_list() for v in tf1.model_variables() if "weights" in v.op.name}


@pytest.mark.usefixtures("session")
def test_each_repetition_has_its_variables():
    outputs = layers.repeat(tf.ones([2, 3]), 2, layers.fully_connected, 4, scope="fc")
    assert outputs.shape == [2, 4]
    assert shapes() == {"fc/fc_1/weights": [3, 4], "fc/fc_2/weights": [4, 4]}


@pytest.mark.usefixtures("session")
def test_each_layer_has_its_arguments():
    outputs = layers.stack(tf.ones([2, 3]), layers.fully_connected, [5, [4, None]])
    assert outputs.op.type == "BiasAdd"  # Without the activation of the first layer.
    name = "Stack/fully_connected"
    assert shapes() == {f"{name}_1/weights": [3, 5], f"{name}_2/weights": [5, 4]}
    with pytest.raises(ValueError, match="stack_args need to be a list or tuple"):
        layers.stack(tf.ones([2, 3]), layers.fully_connected, 5)
