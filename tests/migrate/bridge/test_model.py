"""Tests for bridged models: requests that are refused, and single batches."""

import inspect

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small


class Unknown(tf.train.SessionRunHook):
    pass


def test_unknown_hooks_of_an_evaluation_are_named_or_warned_about():
    hooks = [Unknown(), tf.train.FeedFnHook(dict)]

    def model_fn(features, labels, mode):
        loss = tf.reduce_mean(labels)
        return tf_estimator.EstimatorSpec(mode, loss=loss, evaluation_hooks=hooks)

    def evaluate(**options):
        return bridge.KerasModelFn(model_fn, **options).evaluate(*small.data(), verbose=0)

    with pytest.raises(bridge.BridgeError, match="'eval'.*Unknown, FeedFnHook.*do not") as error:
        evaluate()
    line = inspect.getsourcelines(model_fn)[1]
    assert f"test_model.py, line {line}: def model_fn" in str(error.value)
    with pytest.warns(UserWarning, match="Unknown, FeedFnHook"):
        evaluate(unknown_hooks="warn")


@pytest.mark.parametrize("others", [[], [Unknown()]], ids=["alone", "with another hook"])
def test_hooks_that_only_log_an_evaluation_are_left_out_with_a_warning(others):
    def model_fn(features, labels, mode):
        loss = tf.reduce_mean(labels)
        hooks = [tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=10), *others]
        return tf_estimator.EstimatorSpec(mode, loss=loss, evaluation_hooks=hooks)

    model = bridge.KerasModelFn(model_fn)
    if others:
        with pytest.raises(bridge.BridgeError, match="LoggingTensorHook, Unknown"):
            model.evaluate(*small.data(), verbose=0)
        return
    with pytest.warns(UserWarning, match="LoggingTensorHook. They do not run"):
        model.evaluate(*small.data(), verbose=0)


def test_what_the_model_fn_decides_is_not_compiled():
    model = bridge.KerasModelFn(small.model_fn, {})
    with pytest.raises(bridge.BridgeError, match="loss, optimizer, which the model_fn decides"):
        model.compile(optimizer="sgd", loss="mse")


def test_a_spec_must_be_whole():
    def model_fn(features, labels, mode):
        return tf_estimator.EstimatorSpec("eval", loss=tf.reduce_mean(labels))

    with pytest.raises(bridge.BridgeError, match="without train_op in mode 'train'"):
        small.build(model_fn)


def test_sample_weights_are_refused():
    model = bridge.KerasModelFn(small.model_fn, {})
    features, labels = small.data()
    weighted = tf.data.Dataset.from_tensors((features, labels, np.ones([64], "f")))
    with pytest.raises(bridge.BridgeError, match="sample weights.*make them a feature"):
        model.fit(weighted, verbose=0)


def test_single_batches_come_first():
    model = bridge.KerasModelFn(small.model_fn, {})
    features, labels = small.data()
    model.train_on_batch(features, labels)
    assert int(model.global_step) == 1
    for method, wanted in (("test_on_batch", "mae"), ("predict_on_batch", "outputs")):
        again = bridge.KerasModelFn(small.model_fn, {})
        given = (features, labels) if wanted == "mae" else (features,)
        named = {"return_dict": True} if wanted == "mae" else {}
        assert wanted in getattr(again, method)(*given, **named)
