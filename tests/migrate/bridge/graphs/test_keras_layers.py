"""Tests for Keras' classes after layers were created in a v1 graph."""

import pytest
import tensorflow as tf
import tf_keras

from migrate.bridge.graphs import keras_layers


class Doubled(tf_keras.layers.Layer):
    def call(self, x):
        return 2 * x


class Own(tf_keras.Model):
    def call(self, x):
        return Doubled()(x)


@pytest.mark.parametrize("cls", [Doubled, Own])
def test_classes_return_to_the_eager_base(cls):
    before = cls.__mro__
    with keras_layers.restore_bases():
        with tf.Graph().as_default():
            cls()(tf.ones([1]))
        assert any(base.__module__.endswith("_v1") for base in cls.__mro__)

    assert cls.__mro__ == before
    assert float(cls()(tf.constant(3.0))) == 6
