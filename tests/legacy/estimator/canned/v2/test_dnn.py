"""Tests of deep models of the v2 API."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator
from tests.legacy.estimator.canned import models

fc = tf.feature_column


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    columns = [models.number()]
    folder = str(tmp_path_factory.mktemp("dnn"))
    model = estimator.DNNClassifier([3], columns, folder, n_classes=3, optimizer="SGD")
    return model.train(models.input_fn, steps=2)


def test_variables(classifier):
    assert models.shapes(classifier.model_dir) == {
        "dnn/hiddenlayer_0/bias": [3],
        "dnn/hiddenlayer_0/kernel": [2, 3],
        "dnn/logits/bias": [3],
        "dnn/logits/kernel": [3, 3],
        "global_step": [],
        "training/SGD/decay": [],
        "training/SGD/learning_rate": [],
        "training/SGD/momentum": [],
    }
    assert classifier.get_variable_value("global_step") == 2
    # An optimizer that is passed by name has Keras's default rate.
    rate = classifier.get_variable_value("training/SGD/learning_rate")
    assert rate == pytest.approx(0.01)


def test_predictions(classifier):
    expected = models.dnn_logits(models.checkpoint(classifier.model_dir))
    predictions = classifier.predict(models.input_fn)
    for logits, prediction in zip(expected, predictions, strict=False):
        np.testing.assert_allclose(prediction["logits"], logits, rtol=1e-5)
        assert prediction["class_ids"] == [np.argmax(logits)]


def test_a_head_of_ones_own_and_a_new_keras_optimizer(tmp_path):
    head = estimator.RegressionHead(label_dimension=1)
    optimizer = tf_keras.optimizers.Adam(0.5)
    model = estimator.DNNEstimator(head, [2], [models.number()], str(tmp_path), optimizer=optimizer)
    model.train(models.input_fn, steps=1)
    assert model.get_variable_value("training/Adam/learning_rate") == 0.5


def test_refused(tmp_path):
    def train(columns, **kwargs):
        model = estimator.DNNRegressor([2], columns, str(tmp_path), **kwargs)
        model.train(models.input_fn, steps=1)

    with pytest.raises(ValueError, match=r"must be a .*DenseColumn"):
        train([models.word()])
    with pytest.raises(ValueError, match="not a tf.keras.optimizers.Optimizer instance"):
        train([models.number()], optimizer=tf.compat.v1.train.AdamOptimizer())
    with tf.Graph().as_default():
        columns = tf.compat.v1.feature_column.shared_embedding_columns([models.word()], 2)
    with pytest.raises(ValueError, match="Received a feature column from TensorFlow v1"):
        train(columns)
