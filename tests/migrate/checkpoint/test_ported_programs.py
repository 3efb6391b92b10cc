"""Tests that the command in a ported program's error converts the Estimator's checkpoint."""

import re
import shlex

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from migrate.checkpoint import command
from modern import porting
from modern.model_files.errors import CheckpointError
from tests.modern import ported

v1 = tf.compat.v1


def _model_fn(features, labels, mode):
    """Model_fn from which tests/modern/ported.Model was ported."""

    def dense(x, units, name):
        with v1.variable_scope(name):
            kernel = v1.get_variable("kernel", [x.shape[-1], units])
            bias = v1.get_variable("bias", [units], initializer=v1.zeros_initializer())
        return tf.nn.bias_add(x @ kernel, bias)

    outputs = dense(tf.tanh(dense(features["x"], 3, "hidden")), 1, "out")
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, {"out": outputs})
    loss = tf.reduce_mean((outputs - labels) ** 2)
    train_op = v1.train.AdamOptimizer(0.01).minimize(loss, v1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op)


class Measured(ported.Model):
    """Model with its own metrics, as in rewritten programs."""

    def __init__(self):
        super().__init__()
        self.mean = tf_keras.metrics.Mean(name="loss")
        self.others = {"mae": tf_keras.metrics.MeanAbsoluteError()}

    def test_step(self, data):
        self.mean.update_state(super().test_step(data)["loss"])
        return self.get_metrics_result()


def measured():
    model = Measured()
    model.compile(tf_keras.optimizers.Adam(0.01, epsilon=1e-8))
    return model


def _train(make, folder, steps):
    model = make()
    porting.restore(model, folder, save_steps=100)
    model.fit(ported.data().take(steps), callbacks=porting.callbacks(model), verbose=0)
    return model


def _outputs(predictions):
    return [one["out"] for one in predictions]


@pytest.mark.parametrize("make", [ported.compiled, ported.built, measured])
def test_the_command_of_the_error_carries_weights_slots_and_step(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    estimator = tf_estimator.Estimator(_model_fn, "old", tf_estimator.RunConfig(tf_random_seed=1))
    estimator.train(ported.data, steps=3)
    expected = _outputs(estimator.predict(ported.data))
    with pytest.raises(CheckpointError) as error:
        porting.restore(make(), "old")
    said = re.search("python -m migrate checkpoint (.*)", str(error.value))[1]
    _train(make, "NEW", 1)
    assert command.main(shlex.split(said)) == 0
    model = make()
    porting.restore(model, "old")
    assert int(model.optimizer.iterations) == 3
    np.testing.assert_allclose(_outputs(porting.predict(model, ported.data())), expected, rtol=1e-6)
    # The slots are converted, too: both trainings continue alike.
    estimator.train(ported.data, steps=2)
    found = _outputs(porting.predict(_train(make, "old", 2), ported.data()))
    np.testing.assert_allclose(found, _outputs(estimator.predict(ported.data)), rtol=1e-5)
