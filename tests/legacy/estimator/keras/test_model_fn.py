"""Tests of the clone that a Keras model's model_fn trains."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.keras import keras_model
from tests.legacy.estimator.keras.models import X, input_fn, model


def test_sample_weights_weigh_the_loss(tmp_path):
    keras = model()
    weights = np.array([1, 0, 0, 3, 0, 0, 0, 0], np.float32)
    expected = keras.test_on_batch(X, 2 * X, weights)[0]

    def weighted():
        features = {"features": X, "sample_weights": weights}
        return tf.data.Dataset.from_tensors((features, 2 * X))

    converted = keras_model.model_to_estimator_v2(keras, model_dir=str(tmp_path))
    np.testing.assert_allclose(converted.evaluate(weighted)["loss"], expected, rtol=1e-5)


def test_custom_objects_are_passed_on(tmp_path):
    def halved(x):
        return x / 2

    keras = tf.keras.Sequential([tf.keras.layers.Dense(1, activation=halved, input_shape=(1,))])
    keras.compile("sgd", "mse")
    with pytest.raises((TypeError, ValueError), match="halved"):
        keras_model.model_to_estimator_v2(keras, model_dir=str(tmp_path / "without"))
    keras_model.model_to_estimator_v2(
        keras, custom_objects={"halved": halved}, model_dir=str(tmp_path / "with")
    ).train(input_fn, steps=1)


def test_features_of_another_name_are_named_in_the_error(tmp_path):
    converted = keras_model.model_to_estimator_v2(model(), model_dir=str(tmp_path))
    text = r"(?s)features keys.*'z'.*Missed keys.*'h_input'"
    with pytest.raises(keras_model.FormattedKeyError, match=text):
        converted.train(lambda: ({"z": X}, X), steps=1)
