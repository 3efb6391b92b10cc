"""Tests that a missing order is reported, and that a fixed order gives an Estimator's results."""

import warnings

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small

pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated:UserWarning")


def average(step=None):
    return tf.train.ExponentialMovingAverage(0.9, step)


def momentum(rate=0.1):
    return tf.train.MomentumOptimizer(rate, 0.9)


def with_bias():
    return [v for v in tf.trainable_variables() if "bias" in v.op.name]


def averaged_first(loss, step):
    with tf.control_dependencies([average(step).apply(tf.trainable_variables())]):
        return momentum().minimize(loss, step)


def averaged_last(loss, step):
    averages = average(step)
    with tf.control_dependencies([momentum().minimize(loss, step)]):
        return averages.apply(tf.trainable_variables())


def rate_of_the_last_step(loss, step):
    rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
    return momentum(rate).minimize(loss, step)


def rate_of_the_next_step(loss, step):
    with tf.control_dependencies([tf.assign_add(step, 1)]):
        rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
        return momentum(rate).minimize(loss)


def counted_loss(loss, step):
    counter = tf.get_variable("counter", [], initializer=tf.ones_initializer(), trainable=False)
    with tf.control_dependencies([tf.assign_add(counter, 1.0)]):
        return momentum().minimize(loss * counter.read_value(), step)


def one_optimizer_after_the_other(loss, step):
    kernels = [v for v in tf.trainable_variables() if "kernel" in v.op.name]
    gradients = tf.gradients(loss, with_bias())
    with tf.control_dependencies(gradients):
        first = momentum().minimize(loss, var_list=kernels)
    with tf.control_dependencies([first]):
        second = tf.train.AdamOptimizer(0.1)
        return second.apply_gradients(zip(gradients, with_bias(), strict=True), step)


ORDERED = [
    averaged_first,
    averaged_last,
    rate_of_the_last_step,
    rate_of_the_next_step,
    counted_loss,
    one_optimizer_after_the_other,
]


@pytest.mark.parametrize("train", ORDERED)
def test_a_fixed_order_gives_the_results_of_the_estimator(train, tmp_path):
    params = {"train": train}
    estimator = tf_estimator.Estimator(small.model_fn, str(tmp_path), params=params)
    estimator.train(small.endless, max_steps=1)
    model = bridge.KerasModelFn(small.model_fn, params)
    model.load_estimator_checkpoint(str(tmp_path))
    model.fit(small.endless().skip(1), steps_per_epoch=3, verbose=0)
    estimator.train(lambda: small.endless().skip(1), steps=3)
    for name, variable in model.variables_by_name.items():
        np.testing.assert_allclose(
            variable, estimator.get_variable_value(name), rtol=1e-5, atol=1e-6, err_msg=name
        )


def averaged_somewhen(loss, step):
    return tf.group(momentum().minimize(loss, step), average().apply(tf.trainable_variables()))


def counted_somewhen(loss, step):
    rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
    return tf.group(momentum(rate).minimize(loss), tf.assign_add(step, 1))


def loss_counted_somewhen(loss, step):
    counter = tf.get_variable("counter", [], initializer=tf.ones_initializer(), trainable=False)
    counted = tf.assign_add(counter, 1.0)
    return tf.group(momentum().minimize(loss * counter, step), counted)


@pytest.mark.parametrize(
    ("train", "variable", "first"),
    [
        (averaged_somewhen, "'dense/bias' (and 3 more)", "write"),
        (counted_somewhen, "'global_step'", "read"),
        (loss_counted_somewhen, "'counter'", "write"),
    ],
)
def test_a_missing_order_is_reported_with_both_lines(train, variable, first):
    with pytest.warns(UserWarning, match="nothing orders the two") as caught:
        small.build(small.model_fn, params={"train": train})
    (message,) = [str(one.message) for one in caught if "nothing orders" in str(one.message)]
    assert f"reads {variable} in " in message
    assert message.count(", line ") == 2
    assert f"Here the {first} always comes first" in message


def test_gradients_after_an_update_are_reported():
    def train(loss, step):
        with tf.control_dependencies([momentum().minimize(loss)]):
            return tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)

    with pytest.warns(UserWarning, match="compute all gradients before the first update"):
        small.build(small.model_fn, params={"train": train})


def test_batch_normalization_with_its_updates_is_in_order():
    def model_fn(features, labels, mode):
        hidden = tf.layers.batch_normalization(features["x"], training=True)
        loss = tf.losses.mean_squared_error(labels, tf.layers.dense(hidden, 1))
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train_op = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*nothing orders")
        small.build(model_fn)
