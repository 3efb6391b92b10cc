"""Test of contrib.keras."""

import pytest
import tensorflow as tf

from legacy.contrib import keras


def test_names_are_those_of_keras_in_tensorflow_1():
    assert keras.layers.BatchNormalization is tf.compat.v1.keras.layers.BatchNormalization
    assert keras.layers.BatchNormalization is not tf.keras.layers.BatchNormalization
    with pytest.raises(AttributeError, match="no_such"):
        _ = keras.no_such
