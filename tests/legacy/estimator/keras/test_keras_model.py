"""Tests of model_to_estimator: weights, checkpoints and arguments of the Keras model."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.keras import keras_model
from tests.legacy.estimator.keras.models import X, input_fn, model

tf1 = tf.compat.v1


def test_training_begins_with_the_models_weights(tmp_path):
    keras = model()
    keras.fit(X, 2 * X, verbose=0)
    expected = keras.evaluate(X, 2 * X, verbose=0)
    converted = keras_model.model_to_estimator_v2(keras, model_dir=str(tmp_path))
    metrics = converted.evaluate(input_fn, steps=2)
    np.testing.assert_allclose([metrics["loss"], metrics["mae"]], expected, rtol=1e-5)
    converted.train(input_fn, steps=4)
    assert converted.evaluate(input_fn, steps=2)["loss"] < metrics["loss"]


def test_a_checkpoint_by_objects_is_one_of_the_keras_model(tmp_path):
    converted = keras_model.model_to_estimator_v2(model("adam"), model_dir=str(tmp_path))
    converted.train(input_fn, steps=3)
    predicted = [p["y"] for p in converted.predict(lambda: tf.data.Dataset.from_tensors(X))]
    keras = model(tf.keras.optimizers.legacy.Adam())
    keras.load_weights(converted.latest_checkpoint()).expect_partial()
    np.testing.assert_allclose(keras.predict(X, verbose=0), predicted, rtol=1e-5)


def test_a_checkpoint_by_names_has_the_names_of_variables(tmp_path):
    optimizer = tf1.train.MomentumOptimizer(0.1, 0.9)
    converted = keras_model.model_to_estimator(model(optimizer), model_dir=str(tmp_path))
    converted.train(input_fn, steps=1)
    assert {"global_step", "y/kernel", "y/kernel/Momentum"} <= set(converted.get_variable_names())
    converted.export_savedmodel(str(tmp_path / "export"), receiver)  # Only the v1 API has it.


def receiver():
    tensors = {"h_input": tf1.placeholder(tf.float32, [None, 1])}
    return estimator.export.ServingInputReceiver(tensors, tensors)


def test_a_model_is_read_from_its_file(tmp_path):
    keras, path = model(), str(tmp_path / "model.h5")
    keras.fit(X, 2 * X, verbose=0)
    expected = keras.predict(X, verbose=0)
    with pytest.warns(UserWarning, match="HDF5"):
        keras.save(path)
    converted = keras_model.model_to_estimator_v2(
        keras_model_path=path, model_dir=str(tmp_path / "run")
    )
    predicted = [p["y"] for p in converted.predict(lambda: tf.data.Dataset.from_tensors(X))]
    np.testing.assert_allclose(expected, predicted, rtol=1e-5)


def test_a_model_of_another_keras_is_refused():
    class Model:
        """Imitates a model of Keras 3."""

    with pytest.raises(TypeError, match="TF_USE_LEGACY_KERAS=1"):
        keras_model.model_to_estimator_v2(Model())
