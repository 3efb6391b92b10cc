"""Tests of 16-bit gradients: values that are sent, and values that arrive."""

import numpy as np
import pytest
import tensorflow as tf

from modern.optimizers import compression

GRADIENTS = [np.array([1.0, 1.0 + 2**-12, 3e-3], np.float32), np.array([[70_000.0]], np.float32)]
RANGE = {"bfloat16": True, "float16": False}


def sums(dtype):
    """Returns the result of all_reduce on one replica."""

    @tf.function
    def step():
        return compression.all_reduce([tf.constant(g) for g in GRADIENTS], dtype)

    return [g.numpy() for g in tf.distribute.get_strategy().run(step)]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_all_reduce(dtype):
    small, large = sums(dtype)
    assert small.dtype == large.dtype == np.float32
    np.testing.assert_allclose(small, GRADIENTS[0], rtol=2**-8)
    assert small[1] == 1.0  # The rounding shows that 16 bits were sent.
    assert np.isfinite(large).all() == RANGE[dtype]


def test_under_a_strategy():
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])

    @tf.function
    def step():
        return strategy.run(lambda: compression.all_reduce([tf.constant([1.5])], "bfloat16"))

    assert step()[0].numpy().tolist() == [1.5]


def test_send_to_variables():
    variables = [tf.Variable(tf.zeros_like(g)) for g in GRADIENTS]
    sent = compression.send_to_variables([tf.constant(g) for g in GRADIENTS], variables, "bfloat16")
    assert [g.dtype for g in sent] == [tf.float32, tf.float32]
    assert sent[0].numpy()[1] == 1.0
    assert sent[0].device == variables[0].device
