"""Tests of the replacement for model_to_estimator, which copies a Keras model."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern.porting import keras_estimators


def two_outputs():
    """Returns a compiled model that uses most arguments of `compile`."""
    a, b = tf_keras.Input([4], name="a"), tf_keras.Input([2], name="b")
    both = tf_keras.layers.Concatenate()([a, b])
    y = tf_keras.layers.Dense(1, name="y", kernel_regularizer="l2")(both)
    z = tf_keras.layers.Dense(1, "sigmoid", name="z")(both)
    model = tf_keras.Model([a, b], [y, z])
    rate = tf_keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    model.compile(
        tf_keras.optimizers.Adam(rate),
        {"y": "mse", "z": tf_keras.losses.BinaryCrossentropy(label_smoothing=0.1)},
        {"z": [tf_keras.metrics.AUC(name="auc"), "accuracy"]},
        loss_weights={"y": 0.5, "z": 1.0},
    )
    return model


def data(batch, scales=1):
    random = np.random.RandomState(0)
    features = {"a": random.randn(20, 4).astype("f"), "b": random.randn(20, 2).astype("f")}
    labels = {"y": random.randn(20, 1).astype("f"), "z": random.randint(0, 2, (20, 1))}
    labels["y"] *= np.reshape(scales, [-1, 1]).astype("f")
    return tf.data.Dataset.from_tensor_slices((features, labels)).batch(batch)


def test_a_copy_trains_and_evaluates_as_its_model_and_leaves_that_alone():
    model = two_outputs()
    copy = keras_estimators.from_keras(model)
    before = model.get_weights()
    copy.fit(data(5), epochs=2, verbose=0)
    for ours, first in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(ours, first)
    model.fit(data(5), epochs=2, verbose=0)
    expected = model.evaluate(data(5), verbose=0, return_dict=True)
    assert copy.evaluate(data(5), verbose=0, return_dict=True) == pytest.approx(expected)
    y, z = model.predict(data(5), verbose=0)
    found = copy.predict(data(5), verbose=0)
    np.testing.assert_array_equal(found["y"], y)
    np.testing.assert_array_equal(found["z"], z)


def test_the_loss_is_the_mean_over_batches():
    copy = keras_estimators.from_keras(two_outputs())
    unlike = data(16, scales=[1] * 16 + [10] * 4)
    batches = [
        copy.evaluate(one, verbose=0, return_dict=True) for one in (unlike.take(1), unlike.skip(1))
    ]
    whole = copy.evaluate(unlike, verbose=0, return_dict=True)
    assert whole["loss"] == pytest.approx(sum(one["loss"] for one in batches) / 2)
    by_size = (16 * batches[0]["loss"] + 4 * batches[1]["loss"]) / 20
    assert whole["loss"] != pytest.approx(by_size, rel=1e-3)


def test_its_variables_are_the_strategys():
    model = two_outputs()
    with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
        copy = keras_estimators.from_keras(model)
    assert isinstance(copy.distribute_strategy, tf.distribute.MirroredStrategy)
    copy.fit(data(5), verbose=0)
    model.fit(data(5), verbose=0)
    for ours, theirs in zip(copy.get_weights(), model.get_weights(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def of_v1():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=[2])])
    model.compile(tf.compat.v1.train.AdamOptimizer(0.1), "mse")
    return model


class Subclass(tf_keras.Model):
    def call(self, x):
        return x


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Subclass, "without known inputs"),
        (lambda: tf_keras.Sequential([tf_keras.layers.Dense(1)]), "without known inputs"),
        (lambda: tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=[2])]), "compile"),
        (of_v1, "not an optimizer of Keras"),
    ],
)
def test_what_cannot_be_copied_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        keras_estimators.from_keras(make())
