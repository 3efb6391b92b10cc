"""Tests that batch normalization gives in Keras 3 what it gives in tf_keras."""

import numpy as np
import pytest
import tensorflow as tf

from modern.layers import normalization
from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from tests.modern import programs

pytestmark = pytest.mark.keras(2, 3)
IMAGES = np.random.default_rng(1).normal(2.0, 3.0, (5, 2, 2, 3)).astype(np.float32)


def trained(inputs, **settings):
    """Returns the layer and its outputs after one step on the inputs."""
    layer = normalization.BatchNormalization(momentum=0.75, epsilon=0.01, **settings)
    return layer, layer(inputs, training=True)


def test_float64_is_normalized_in_float64():
    _, outputs = trained(IMAGES.astype(np.float64), dtype="float64")
    assert outputs.dtype == tf.float64


@pytest.mark.parametrize(
    ("inputs", "factor"), [(IMAGES, 20 / 19), (IMAGES.reshape(20, 3), 1.0)], ids=["4D", "2D"]
)
def test_the_moving_variance_of_images_is_that_of_a_sample(inputs, factor):
    layer, outputs = trained(inputs)
    values = inputs.reshape(20, 3)
    mean, variance = values.mean(0), values.var(0)
    expected = (values - mean) / np.sqrt(variance + 0.01)
    np.testing.assert_allclose(np.reshape(outputs, (20, 3)), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(layer.moving_mean, 0.25 * mean, rtol=1e-5)
    moving = 0.75 + 0.25 * factor * variance
    np.testing.assert_allclose(layer.moving_variance, moving, rtol=1e-5)


def test_a_layer_without_scale_and_center_has_no_weights_to_train():
    layer, outputs = trained(IMAGES, scale=False, center=False)
    assert layer.trainable_variables == []
    np.testing.assert_allclose(np.mean(outputs, (0, 1, 2)), np.zeros(3), atol=1e-5)


def test_averages_stay_in_a_frozen_layer_and_in_an_evaluation():
    layer = normalization.BatchNormalization()
    layer(IMAGES, training=False)
    layer.trainable = False
    layer(IMAGES, training=True)
    np.testing.assert_array_equal(layer.moving_variance, np.ones(3))


def test_half_precision_keeps_averages_whole():
    layer, outputs = trained(IMAGES.astype(np.float16), dtype="mixed_float16")
    assert outputs.dtype == tf.float16
    assert chosen_keras.tf_variable(layer.moving_mean).dtype == tf.float32


def test_a_saved_model_finds_the_layer(tmp_path):
    model = keras.Sequential([keras.Input((2, 2, 3)), normalization.BatchNormalization()])
    model.save(tmp_path / "m.keras")
    loaded = keras.saving.load_model(tmp_path / "m.keras")
    assert isinstance(loaded.layers[-1], normalization.BatchNormalization)


def test_a_read_returns_the_mean_of_the_replicas():
    version = str(chosen_keras.version())
    found = programs.printed_by("tests.modern.layers.averages_of_replicas", version)
    assert found["read"] == pytest.approx(np.mean(found["replicas"]))
    assert found["replicas"][0] != found["replicas"][1]


@pytest.mark.keras(3)
def test_a_keras_before_3_14_normalizes_images():
    layer = normalization.BatchNormalization(momentum=0.75)
    layer.build(IMAGES.shape)
    vars(layer).pop("renorm")
    layer(IMAGES, training=True)
    np.testing.assert_allclose(layer.moving_mean, 0.25 * IMAGES.mean((0, 1, 2)), rtol=1e-5)


@pytest.mark.keras(3)
def test_a_keras_before_3_10_averages_replicas_or_refuses():
    found = programs.printed_by("tests.modern.layers.averages_of_replicas", "3", "unsynchronized")
    assert found["read"] == pytest.approx(np.mean(found["replicas"]))
    assert found["replicas"][0] != found["replicas"][1]
    for word in ("built during the call of another layer", "keras>=3.10"):
        assert word in found["error"]
