"""Tests of the private functions in the original's module `estimator`."""

import pytest
import tensorflow as tf

from legacy.estimator import RunConfig
from legacy.private_api import estimator_functions as functions

tf1 = tf.compat.v1


def test_metric_updates_and_values():
    assert functions.extract_metric_update_ops({}) == (None, {})
    strategy = tf1.distribute.OneDeviceStrategy("/cpu:0")
    with tf.Graph().as_default():
        b, a = (tf.constant(1.0), tf.no_op("b")), (tf.constant(2.0), tf.no_op("a"))
        for distribution in (None, strategy):
            update, values = functions.extract_metric_update_ops({"b": b, "a": a}, distribution)
            assert list(values.items()) == [("a", a[0]), ("b", b[0])]
            assert isinstance(update, tf.Operation)


def test_loss_metric():
    strategy = tf1.distribute.OneDeviceStrategy("/cpu:0")
    with tf.Graph().as_default():
        for distribution in (None, strategy):
            metrics = {"other": None}
            made = functions.verify_and_create_loss_metric(metrics, tf.constant(1.0), distribution)
            assert made is metrics
            assert list(metrics) == ["other", "loss"]
            with pytest.raises(ValueError, match='Metric with name "loss" is not allowed'):
                functions.verify_and_create_loss_metric(metrics, tf.constant(1.0), distribution)


def test_checks(tmp_path):
    with pytest.raises(ValueError, match="not find trained model"):
        functions.check_checkpoint_available(str(tmp_path))
    assert functions.check_listeners_type(None) == []
    with pytest.raises(TypeError, match="must be a list of CheckpointSaverListener"):
        functions.check_listeners_type([1])


def test_config_has_its_folder():
    config = functions.maybe_overwrite_model_dir_and_session_config(RunConfig(), "/models/1")
    assert config.model_dir == "/models/1"
    assert config.session_config.allow_soft_placement
