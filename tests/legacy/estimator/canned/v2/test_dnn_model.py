"""Test of the layers of a deep model."""

import numpy as np
import tensorflow as tf

from legacy import estimator
from tests.legacy.estimator.canned import models

fc = tf.feature_column


def test_batch_norm_dropout_and_embedding(tmp_path):
    columns = [models.number(), fc.embedding_column(models.word(), 4)]
    model = estimator.DNNRegressor(
        [3, 2], columns, str(tmp_path), batch_norm=True, dropout=0.5, activation_fn=None
    )
    model.train(models.input_fn, steps=1)
    names = set(model.get_variable_names())
    layer = "dnn/hiddenlayer_1/batchnorm_1/"
    assert {layer + n for n in ("beta", "gamma", "moving_mean", "moving_variance")} <= names
    embedding = "dnn/input_from_feature_columns/input_layer/word_embedding/embedding_weights"
    assert {embedding, f"training/Adagrad/{embedding}/accumulator"} <= names
    assert np.any(model.get_variable_value(layer + "moving_mean"))  # It was updated.
    # Evaluation applies no dropout.
    first, again = (model.evaluate(models.input_fn, steps=1)["loss"] for _ in range(2))
    assert first == again
