"""Tests for weights whose shape is known at their first use."""

import pytest
import tensorflow as tf
import tf_keras

from modern import porting


class Model(tf_keras.Model):
    def __init__(self):
        super().__init__()
        self.kernel = porting.Weight("scope/kernel", initializer="ones", trainable=True)

    def call(self, x):
        return tf.matmul(x, self.kernel.of_shape([x.shape[-1], 2]))


def test_the_first_call_makes_a_weight_that_trains():
    model = Model()
    model.compile("sgd", "mse")
    assert model.weights == []
    data = tf.data.Dataset.from_tensors((tf.ones([4, 3]), tf.zeros([4, 2])))
    model.fit(data.repeat(2), verbose=0)
    (weight,) = model.trainable_weights
    assert weight.shape == (3, 2)
    assert weight.name.endswith("scope/kernel:0")
    assert float(weight[0, 0]) < 1.0


def test_a_function_may_make_the_first_use():
    model = Model()
    tf.function(lambda x: model.kernel.of_shape([x.shape[-1], 2]) + 0.0)(tf.ones([1, 3]))
    (weight,) = model.kernel.weights
    assert weight.numpy().tolist() == [[1.0, 1.0]] * 3


def test_another_shape_is_refused():
    model = Model()
    model(tf.ones([1, 3]))
    with pytest.raises(ValueError, match=r"has shape \(3, 2\), not \(4, 2\)"):
        model(tf.ones([1, 4]))


class Gated(tf_keras.Model):
    def __init__(self):
        super().__init__()
        self.gate = porting.SizedLayer(tf_keras.layers.Dense, "gate", kernel_initializer="ones")

    def call(self, x):
        return self.gate.of_size(x.shape[-1])(x)


def test_the_first_call_makes_a_layer_that_trains():
    model = Gated()
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensors((tf.ones([4, 3]), tf.zeros([4, 3])))
    model.fit(data.repeat(2), verbose=0)
    kernel, bias = model.trainable_weights
    assert (kernel.shape, bias.shape) == ((3, 3), (3,))
    assert kernel.name.endswith("gate/kernel:0")
    assert "gate/gate" not in kernel.name
    assert float(kernel[0, 0]) < 1.0


def test_a_layer_of_another_size_is_refused():
    model = Gated()
    model(tf.ones([1, 3]))
    with pytest.raises(ValueError, match="The layer gate has size 3, not 4"):
        model(tf.ones([1, 4]))
