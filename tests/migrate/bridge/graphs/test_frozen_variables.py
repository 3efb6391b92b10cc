"""Tests that assignments which no session ran do not run in Keras either, against an Estimator."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge.graphs import frozen_variables
from tests.migrate.bridge import small

tf1 = tf.compat.v1


def _counting(features, labels, mode):
    """Counts all calls and averages the weights, but fetches the counter in no mode."""
    outputs = tf1.layers.dense(features["x"], 1, kernel_initializer=tf1.zeros_initializer())
    loss = tf1.losses.mean_squared_error(labels, outputs)
    step = tf1.train.get_or_create_global_step()
    counter = tf1.get_variable("counter", [], initializer=tf1.zeros_initializer())
    counter.assign_add(1.0)
    minimized = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([minimized]):
        average = tf1.train.ExponentialMovingAverage(0.5)
        averaged = average.apply(tf1.trainable_variables("dense"))
    train_op = tf.group(averaged, tf1.assign_add(step, 1))
    return tf_estimator.EstimatorSpec(mode, outputs, loss, train_op)


def _without_updates(features, labels, mode):
    """Trains without the updates of batch normalization."""
    hidden = tf1.layers.batch_normalization(features["x"], training=True)
    kernel = tf1.zeros_initializer()
    loss = tf1.losses.mean_squared_error(labels, tf1.layers.dense(hidden, 1, None, True, kernel))
    train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(
        loss, tf1.train.get_or_create_global_step()
    )
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def _of_estimator(model_fn, folder):
    estimator = tf_estimator.Estimator(model_fn, str(folder))
    estimator.train(small.endless, steps=4)
    estimator.evaluate(small.input_fn)
    return {name: estimator.get_variable_value(name) for name in estimator.get_variable_names()}


@pytest.mark.parametrize(
    ("model_fn", "unchanged"),
    [
        (_counting, {"counter": 0.0}),
        (
            _without_updates,
            {"batch_normalization/moving_mean": 0.0, "batch_normalization/moving_variance": 1.0},
        ),
    ],
)
@pytest.mark.parametrize(
    "strategy",
    [tf.distribute.get_strategy, lambda: tf.distribute.MirroredStrategy(["CPU:0"])],
    ids=["default", "mirrored"],
)
def test_variables_are_those_of_an_estimator(model_fn, unchanged, strategy, tmp_path):
    with strategy().scope():
        model = bridge.KerasModelFn(model_fn)
    with pytest.warns(UserWarning, match=f"leaves out .*{[*unchanged][0]}"):
        model.fit(small.input_fn(), verbose=0)
    model.evaluate(small.input_fn(), verbose=0)
    expected = _of_estimator(model_fn, tmp_path)
    assert {*model.variables_by_name} == {*expected}
    for name, variable in model.variables_by_name.items():
        np.testing.assert_allclose(variable.numpy(), expected[name], atol=1e-6, err_msg=name)
    for name, value in unchanged.items():
        np.testing.assert_array_equal(expected[name], value)


def test_only_the_given_variables_are_frozen_and_only_in_the_block():
    first, second = tf.Variable([1.0]), tf.Variable([1.0])
    with frozen_variables.frozen(lambda variable: variable is first):
        assert first.assign([2.0]).numpy() == [1.0]
        tf1.assign_sub(first, [2.0])
        tf1.scatter_update(first, [0], [2.0])
        first.scatter_add(tf.IndexedSlices([2.0], [0]))
        second.assign_add([2.0])
    assert (first.numpy(), second.numpy()) == ([1.0], [3.0])
    first.assign([2.0])
    assert first.numpy() == [2.0]
