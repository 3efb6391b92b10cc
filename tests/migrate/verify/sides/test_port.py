"""Tests for the modern side: loss, gradients, steps and names of a model."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate import batches
from migrate.verify.sides import port
from modern.process import cli

BATCH = batches.Batch(np.array([[1.0], [2.0]], np.float32), np.array([[3.0], [4.0]], np.float32))


def regularized():
    """Model of 2 x, with the mean squared error and half the square of the weight."""
    dense = tf_keras.layers.Dense(
        1, use_bias=False, kernel_regularizer=tf_keras.regularizers.L2(0.5), name="dense"
    )
    model = tf_keras.Sequential([tf_keras.Input((1,)), dense])
    model.compile(tf_keras.optimizers.SGD(0.1), "mse")
    return model


@pytest.fixture
def side():
    side = port.Port(regularized)
    side.build(BATCH)
    side.assign({"dense/kernel": np.array([[2.0]], np.float32)})
    return side


def test_computes_loss_gradients_and_a_step(side):
    # Outputs 2 and 4, errors -1 and 0, penalty 0.5 * 4.
    assert side.loss(BATCH, training=True) == pytest.approx((0.5 + 2, 2))
    # The mean of 2 * error * x, and the weight itself.
    gradient = side.gradients(BATCH)["dense/kernel"]
    np.testing.assert_allclose(gradient, [[-1 + 2]], rtol=1e-6)
    assert side.step(BATCH) == pytest.approx(2.5)
    np.testing.assert_allclose(side.read()["dense/kernel"], [[2 - 0.1 * 1]], rtol=1e-6)


def test_records_the_calls_of_layers(side):
    whole, dense = side.calls(BATCH, training=False)

    assert (dense.layer, dense.kind, dense.parent) == ("dense", "Dense", 0)
    assert dense.weights == whole.weights == ("dense/kernel",)
    names, arrays = zip(*dense.outputs, strict=True)
    assert names == (port.BEFORE_ACTIVATION, port.OUTPUT)
    np.testing.assert_array_equal(arrays[1], [[2], [4]])


def test_adapts_batches_and_refuses_too_many_parts():
    adapted = port.Port(regularized, adapt=lambda x, y: (x, y, tf.ones([2])))
    np.testing.assert_array_equal(adapted.data(BATCH)[2], [1, 1])
    with pytest.raises(cli.UsageError, match="returned 4 parts"):
        port.Port(regularized, adapt=lambda x, y: (x, y, x, y)).data(BATCH)


def test_tells_an_error_without_the_stack_that_keras_adds():
    text = """Exception encountered when calling layer "m".

    in user code:

    File "m.py", line 3, in call
        return x / nothing
    no such thing

    Call arguments received by layer "m":
      - x=1
    """
    assert port.describe_error(ValueError(text)) == (
        'ValueError: Exception encountered when calling layer "m". no such thing'
    )
