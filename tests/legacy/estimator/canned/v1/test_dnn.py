"""Tests of deep models of the v1 API."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy.compat.v1 import estimator
from tests.legacy.estimator.canned import models

tf1 = tf.compat.v1


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    columns = [models.number()]
    folder = str(tmp_path_factory.mktemp("dnn"))
    return estimator.DNNClassifier([3], columns, folder).train(models.input_fn, steps=2)


def test_variables_and_slots(classifier):
    kernel = "dnn/hiddenlayer_0/kernel"
    shapes = models.shapes(classifier.model_dir)
    assert shapes[kernel] == [2, 3]
    # TensorFlow cuts the slot's name, so it keeps only the last three letters of "part_0".
    assert shapes[f"{kernel}/t_0/Adagrad"] == [2, 3]
    assert isinstance(classifier, estimator.Estimator)
    assert callable(classifier.export_savedmodel)


def test_predictions(classifier):
    expected = models.dnn_logits(models.checkpoint(classifier.model_dir))
    for logits, prediction in zip(expected, classifier.predict(models.input_fn), strict=False):
        np.testing.assert_allclose(prediction["logits"], logits, rtol=1e-5)


def test_a_logit_function_of_ones_own_scope():
    build = estimator.experimental.dnn_logit_fn_builder(
        units=2,
        hidden_units=[3],
        feature_columns=[models.number()],
        activation_fn=tf.nn.relu,
        dropout=0.5,
        input_layer_partitioner=None,
        batch_norm=True,
    )
    with tf.Graph().as_default() as graph:
        with tf1.variable_scope("mine"):
            logits = build({"x": tf.ones([4, 2])}, "train")
        assert logits.shape.as_list() == [4, 2]
        assert {v.name for v in tf1.trainable_variables()} == {
            "mine/hiddenlayer_0/kernel:0",
            "mine/hiddenlayer_0/bias:0",
            "mine/hiddenlayer_0/batchnorm_0/gamma:0",
            "mine/hiddenlayer_0/batchnorm_0/beta:0",
            "mine/logits/kernel:0",
            "mine/logits/bias:0",
        }
        tags = [op.name for op in graph.get_operations() if op.type == "ScalarSummary"]
        assert tags == [
            f"mine/mine/{layer}/fraction_of_zero_values" for layer in ("hiddenlayer_0", "logits")
        ]
        assert len(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)) == 2
    with pytest.raises(ValueError, match="units must be an int"):
        estimator.experimental.dnn_logit_fn_builder(2.0, [3], [], None, None, None, False)


def test_refused(tmp_path):
    columns = [models.number()]
    model = estimator.DNNRegressor(
        [2], columns, str(tmp_path), optimizer=tf_keras.optimizers.legacy.Adam()
    )
    with pytest.raises(ValueError, match="not an Optimizer instance"):
        model.train(models.input_fn, steps=1)
    model = estimator.DNNRegressor([2], columns, str(tmp_path))
    with pytest.raises(ValueError, match="features should be a dictionary"):
        model.train(lambda: tf.data.Dataset.from_tensors((tf.ones([1, 2]), tf.ones([1, 1]))))
