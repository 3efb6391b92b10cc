"""Tests of the Keras model of the first deep estimators."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.names import tables
from legacy.private_api import dnn_model
from legacy.shim import modules

tf1 = tf.compat.v1


def make(**changes):
    columns = [tf.feature_column.numeric_column("x", shape=2)]
    arguments = {
        "units": 1,
        "hidden_units": [3, 2],
        "feature_columns": columns,
        "activation_fn": tf.nn.relu,
        "dropout": None,
        "input_layer_partitioner": None,
        "batch_norm": False,
        "name": "dnn",
    }
    return dnn_model.DNNModelV1(**(arguments | changes))


def test_the_private_name_is_the_model_of_v1():
    name = "tensorflow_estimator.python.estimator.canned.dnn"
    served = modules.Served(name, tables.places_of(name))
    assert served._DNNModel is dnn_model.DNNModelV1
    assert served._DNNModelV2 is not served._DNNModel


def test_variables_are_created_once():
    with tf.Graph().as_default():
        model = make(batch_norm=True)
        features = {"x": tf.ones([4, 2])}
        model(features, "train")
        model(features, "eval")
        names = [variable.name for variable in model.trainable_variables]
        assert names[:2] == ["hiddenlayer_0/kernel:0", "hiddenlayer_0/bias:0"]
        assert "logits/bias:0" in names
        assert "batchnorm_1/gamma:0" in names
        assert len(names) == len(tf1.trainable_variables()) == 10


@pytest.mark.parametrize("mode", ["train", "infer"])
def test_dropout_is_for_training_only(mode):
    with tf.Graph().as_default(), tf1.Session() as session:
        model = make(dropout=0.999999, hidden_units=[64])
        hidden = model({"x": tf.ones([4, 2])}, mode)
        session.run(tf1.global_variables_initializer())
        assert np.any(session.run(hidden)) == (mode == "infer")
