"""Tests for models that a command builds."""

import pytest
import tensorflow as tf
import tf_keras

from migrate import keras_models
from modern.process import cli


class Model(tf_keras.Model):
    """A model with parameters, metrics of its own and an optimizer."""

    def __init__(self, hparams):
        super().__init__()
        self.hparams = hparams
        self.dense = tf_keras.layers.Dense(hparams["units"])
        self.reports = {"mean": tf_keras.metrics.Mean()}
        self.counts = [3]

    def call(self, x):
        return self.dense(x)

    def make_optimizer(self):
        return tf_keras.optimizers.SGD(0.5)


def test_builds_a_class_with_its_params_and_compiles_it():
    model = keras_models.build(Model, {"units": 2}, "--model")
    keras_models.call_once(model, tf.ones([1, 3]), "--model")

    assert float(model.optimizer.learning_rate) == 0.5
    assert [tuple(one.shape) for one in keras_models.weights(model)] == [(3, 2), (2,)]
    assert len(model.weights) > 2  # with those of its metrics
    attributes = keras_models.metric_attributes(model)
    assert "reports" in attributes
    assert attributes.isdisjoint(("counts", "dense", "hparams"))


def test_a_compiled_model_keeps_its_optimizer():
    def build():
        model = Model({"units": 1})
        model.compile("adam")
        return model

    assert type(keras_models.build(build, {"a": 1}, "--model").optimizer).__name__ == "Adam"


@pytest.mark.parametrize(
    ("builder", "message"),
    [
        (tf_keras.Sequential(name="made"), "--model: made is a model, not a function"),
        (lambda: 3, "--model: returned builtins.int, but it must return a tf_keras.Model"),
        (lambda params: params["units"], "KeyError: 'units' .no --params was given."),
        (lambda a, b: None, "--model: takes a, b, but it may take only params"),
    ],
)
def test_refuses_what_builds_no_model(builder, message):
    with pytest.raises(cli.UsageError, match=message):
        keras_models.build(builder, {}, "--model")


def test_refuses_features_that_a_model_does_not_take():
    model = keras_models.build(Model, {"units": 2}, "--model")
    with pytest.raises(cli.UsageError, match="--model: the model does not take the features"):
        keras_models.call_once(model, {"x": tf.constant("a")}, "--model")
