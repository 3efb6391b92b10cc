"""Tests of the adapter of a compiled Keras model."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern.training.adapter import ModelAdapter
from tests.modern import ported


def test_saves_and_loads_the_step_and_the_weights(tmp_path):
    first = ModelAdapter(ported.built())
    first.model.optimizer.iterations.assign(7)
    first.files(str(tmp_path), 1, "worker-0").save()
    assert first.latest(str(tmp_path)).endswith("ckpt-7")

    second = ModelAdapter(ported.built())
    second.model.set_weights([np.zeros_like(one) for one in second.model.get_weights()])
    assert second.load(first.latest(str(tmp_path))) == second.step() == 7
    for one, other in zip(first.model.get_weights(), second.model.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert second.load(str(tmp_path / "checkpoints" / "ckpt-8")) is None


@pytest.mark.parametrize("training", [True, False])
def test_builds_the_variables_without_a_step(training):
    adapter = ModelAdapter(ported.compiled())
    adapter.build(ported.data(), training)
    assert [tuple(one.shape) for one in adapter.model.weights] == [(4, 3), (3,), (3, 1), (1,)]
    assert adapter.step() == 0


@pytest.mark.parametrize(("loss", "diverged"), [(1.0, False), (np.inf, False), (np.nan, True)])
def test_nan_is_read_from_the_logs_or_from_the_model(loss, diverged):
    adapter = ModelAdapter(ported.compiled())
    assert adapter.has_diverged(adapter.sample(), {"loss": loss}) is diverged

    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones([1, 1]), tf.fill([1, 1], np.float32(loss)), verbose=0)
    own = ModelAdapter(model)
    assert own.has_diverged(own.sample(), None) is diverged
