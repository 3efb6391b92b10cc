"""Tests of reversible residual layers."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers, slim

tf1 = tf.compat.v1


def double(x):
    return tf1.get_variable("weight", initializer=2.0) * x


def add(x, side):
    return x + side[0]


def test_layers_add_the_functions_of_the_other_input(session):
    one, ten, side = tf.constant(1.0), tf.constant(10.0), tf.constant(0.5)
    outputs = layers.rev_block(one, ten, double, add, 2, g_side_input=[side])
    session.run(tf1.global_variables_initializer())
    # (1, 10), (1 + 20, 10 + 21.5), (21 + 63, 31.5 + 84.5)
    assert session.run(outputs) == (84.0, 116.0)
    names = ["revblock/revlayer_0/f/weight", "revblock/revlayer_1/f/weight"]
    assert [variable.op.name for variable in tf1.trainable_variables()] == names
    # y1 = 1 + 10 a + (10 + 1 + 10 a + 0.5) b
    gradients = tf.gradients(outputs[0], tf1.trainable_variables())
    assert session.run(gradients) == [30.0, 31.5]


def test_the_variables_are_shared(session):
    for reuse in (False, True):
        with tf1.variable_scope("net", reuse=reuse):
            slim.rev_block(tf.constant(1.0), tf.constant(2.0), double, double)
    assert len(tf1.global_variables()) == 2


def test_a_block_computes_its_inputs(session):
    block = layers.RevBlock([double, tf.sin], tf.cos, num_layers=2)
    inputs = [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])]
    restored = block.backward(*block.forward(*inputs))
    session.run(tf1.global_variables_initializer())
    np.testing.assert_allclose(session.run(restored), session.run(inputs), rtol=1e-5)
    assert len(block.trainable_weights) >= 1
    assert block.non_trainable_weights == []


def test_each_layer_has_a_function():
    with pytest.raises(ValueError, match="f has 1 functions; num_layers is 2"):
        layers.RevBlock([tf.sin], tf.cos, num_layers=2)
