"""Tests that programs which cannot be bridged are refused, with the line that prevents it."""

import inspect
import re

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from modern.process import cli
from tests.migrate.bridge import small


def spec_with(mode="train", **parts):
    loss = tf.reduce_mean(tf.get_variable("w", [2]) ** 2)
    step = tf.train.get_or_create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, **{"train_op": train_op, **parts})


def build(model_fn, **options):
    model = bridge.KerasModelFn(model_fn, **options)
    model.build_on(*small.data())
    return model


def test_moving_averages_that_never_ran_are_found():
    def model_fn(features, labels, mode):
        hidden = tf.layers.batch_normalization(features["x"], training=True)
        loss = tf.losses.mean_squared_error(labels, tf.layers.dense(hidden, 1))
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.AdamOptimizer().minimize(loss, step)  # without UPDATE_OPS
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    with pytest.raises(bridge.BridgeError) as error:
        build(model_fn)
    message = str(error.value)
    assert "batch_normalization/moving_" in message
    assert "(and 1 more)" in message
    assert "UPDATE_OPS" in message
    assert re.search(r"test_refusals.py, line \d+: hidden = tf.layers.batch_normal", message)


def test_writing_in_evaluation_is_found():
    def model_fn(features, labels, mode):
        step = tf.train.get_or_create_global_step()
        tf.assign_add(step, 1)
        return tf_estimator.EstimatorSpec(mode, loss=tf.reduce_mean(labels))

    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match="writes 'global_step' in mode 'eval'.*line"):
        model.evaluate(*small.data(), verbose=0)


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
    assert f"test_refusals.py, line {line}: def model_fn" in str(error.value)
    with pytest.warns(UserWarning, match="Unknown, FeedFnHook"):
        evaluate(unknown_hooks="warn")


def test_files_in_a_step_are_found():
    def model_fn(features, labels, mode):
        if tf.get_default_graph().building_function:
            tf.raw_ops.SaveV2(
                prefix="x", tensor_names=["a"], shape_and_slices=[""], tensors=[labels]
            )
        return spec_with()

    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match="SaveV2 of its own.*test_refusals.py, line"):
        model.fit(*small.data(), verbose=0)


def test_variables_must_be_the_same_each_time():
    names = iter(["w", "v"])

    def model_fn(features, labels, mode):
        loss = tf.reduce_mean(tf.get_variable(next(names), [2]) ** 2)
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match="asks for the variable 'v'.*same variables"):
        model.fit(*small.data(), verbose=0)


@pytest.mark.parametrize(
    ("model_fn", "options", "words"),
    [
        (lambda labels, mode: None, {}, "no argument `features`"),
        (lambda features, mode: None, {"params": {"a": 1}}, "does not take them"),
        (small.model_fn, {"unknown_hooks": "skip"}, "unknown_hooks='skip'"),
    ],
)
def test_misuse_is_said_at_once(model_fn, options, words):
    with pytest.raises(bridge.BridgeError, match=words):
        bridge.KerasModelFn(model_fn, **options)


def test_what_the_model_fn_decides_is_not_compiled():
    model = bridge.KerasModelFn(small.model_fn, {})
    with pytest.raises(bridge.BridgeError, match="loss, optimizer, which the model_fn decides"):
        model.compile(optimizer="sgd", loss="mse")


def test_a_spec_must_be_whole():
    def model_fn(features, labels, mode):
        return tf_estimator.EstimatorSpec("eval", loss=tf.reduce_mean(labels))

    with pytest.raises(bridge.BridgeError, match="without train_op in mode 'train'"):
        build(model_fn)


def test_sample_weights_are_refused():
    model = bridge.KerasModelFn(small.model_fn, {})
    features, labels = small.data()
    weighted = tf.data.Dataset.from_tensors((features, labels, np.ones([64], "f")))
    with pytest.raises(bridge.BridgeError, match="sample weights.*make them a feature"):
        model.fit(weighted, verbose=0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tests.migrate.bridge.small", "must be MODULE:NAME"),
        ("no.such:thing", "No module named 'no'"),
        ("tests.migrate.bridge.small:nothing", "small has no 'nothing'"),
        ("tests.migrate.bridge.small:np", "is module, not a function"),
    ],
)
def test_names_that_cannot_be_imported_are_said(name, words):
    with pytest.raises(cli.UsageError, match=words):
        bridge.load(name)


def test_a_module_that_disables_eager_execution_leaves_it_on(tmp_path, monkeypatch):
    source = (
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\ndef model_fn(features): ...\n"
    )
    (tmp_path / "old_program.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert bridge.load("old_program:model_fn").__name__ == "model_fn"
    assert tf.executing_eagerly()


def test_a_checkpoint_of_another_model_is_refused(tmp_path):
    def other_model_fn(features, labels, mode):
        return spec_with()

    estimator = tf_estimator.Estimator(other_model_fn, str(tmp_path))
    estimator.train(small.input_fn, steps=1)
    model = build(small.model_fn, params={})
    before = model.get_weights()
    with pytest.raises(bridge.BridgeError, match="has no dense/bias.*of another model_fn"):
        model.load_estimator_checkpoint(str(tmp_path))
    for one, other in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(bridge.BridgeError, match="has no checkpoint"):
        model.load_estimator_checkpoint(str(tmp_path / ".."))
