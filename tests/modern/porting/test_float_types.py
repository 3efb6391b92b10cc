"""Tests for layers that compute in the float type of their input."""

import pytest
import tensorflow as tf
import tf_keras

from modern import porting
from modern.porting import float_types


@pytest.fixture(autouse=True)
def _restored():
    tf_keras.mixed_precision.set_global_policy(None)  # Another test may have set one.
    yield
    float_types.cast_float_types()


class _Model(tf_keras.Model):
    """A model as the rewriter writes it."""

    def __init__(self):
        super().__init__(autocast=False)
        self.hidden = tf_keras.layers.Dense(3, name="hidden")
        self.dropout = tf_keras.layers.Dropout(0.1)
        self.out = tf_keras.layers.Dense(1, name="out")

    def call(self, features, training=False):
        return self.out(self.dropout(self.hidden(features["x"]), training=training))


def _trained(dtype):
    model = _Model()
    model.compile("adam", "mse")
    x = tf.ones([4, 2], dtype)
    model.fit(tf.data.Dataset.from_tensors(({"x": x}, x[:, :1])), verbose=0)
    return model


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_weights_have_the_type_of_the_input(dtype):
    porting.keep_float_types()
    model = _trained(dtype)
    assert {weight.dtype.name for weight in model.trainable_weights} == {dtype}
    assert model.predict({"x": tf.ones([1, 2], dtype)}, verbose=0).dtype == dtype


def test_layers_cast_by_default():
    assert {weight.dtype.name for weight in _trained("float64").trainable_weights} == {"float32"}


def test_the_state_can_be_read_and_restored():
    assert float_types.are_cast()
    float_types.keep_float_types()
    assert not float_types.are_cast()
    float_types.cast_float_types()
    assert float_types.are_cast()
