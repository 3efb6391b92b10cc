"""Test of Keras models as SavedModels."""

import numpy as np

from legacy.contrib import keras, saved_model


def test_a_keras_model_there_and_back(tmp_path):
    model = keras.models.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    path = saved_model.save_keras_model(model, str(tmp_path), serving_only=True)
    again = saved_model.load_keras_model(path)
    x = np.ones([1, 3], "float32")
    np.testing.assert_allclose(again.predict(x, verbose=0), model.predict(x, verbose=0), rtol=1e-6)
