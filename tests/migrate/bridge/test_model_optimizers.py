"""Tests for several, synchronous and wrapped optimizers of a model_fn."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator as tf_estimator
from legacy.contrib import layers
from migrate import bridge
from tests.migrate.bridge import small


def _trained(train, tmp_path, steps=4):
    """Returns a bridged model and an Estimator after the same steps from the same weights."""
    params = {"train": train}
    estimator = tf_estimator.Estimator(small.model_fn, str(tmp_path), params=params)
    estimator.train(small.endless, max_steps=1)
    model = bridge.KerasModelFn(small.model_fn, params)
    model.load_estimator_checkpoint(str(tmp_path))
    model.fit(small.endless().skip(1), steps_per_epoch=steps, verbose=0)
    estimator.train(lambda: small.endless().skip(1), steps=steps)
    return model, estimator


def _assert_equal(model, estimator):
    for key, variable in model.variables_by_name.items():
        np.testing.assert_allclose(
            variable, estimator.get_variable_value(key), rtol=1e-5, atol=1e-6, err_msg=key
        )


def two_optimizers(loss, step):
    kernels = [v for v in tf.trainable_variables() if "kernel" in v.op.name]
    biases = [v for v in tf.trainable_variables() if v not in set(kernels)]
    first = tf.train.AdamOptimizer(0.1).minimize(loss, var_list=kernels)
    second = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, var_list=biases)
    with tf.control_dependencies([first, second]):
        return tf.assign_add(step, 1).op


def clipped(loss, step):
    optimizer = tf.train.AdagradOptimizer(0.3)
    gradients, variables = zip(*optimizer.compute_gradients(loss), strict=True)
    gradients, _ = tf.clip_by_global_norm(gradients, 0.1)
    return optimizer.apply_gradients(zip(gradients, variables, strict=True), step)


def optimize_loss(loss, step):
    return layers.optimize_loss(
        loss, step, 0.2, "RMSProp", clip_gradients=0.5,
        learning_rate_decay_fn=lambda rate, at: tf.train.exponential_decay(rate, at, 1, 0.9),
    )  # fmt: skip


def averaged(loss, step):
    trained = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    with tf.control_dependencies([trained]):
        return tf.train.ExponentialMovingAverage(0.9, step).apply(tf.trainable_variables())


def synchronous(loss, step):
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(0.1), 1, 1)
    return optimizer.minimize(loss, step)


@pytest.mark.parametrize("train", [two_optimizers, clipped, optimize_loss, averaged])
def test_ways_to_train_are_followed(train, tmp_path):
    _assert_equal(*_trained(train, tmp_path))


def test_two_optimizers_are_one_to_keras(tmp_path):
    model, _ = _trained(two_optimizers, tmp_path)
    names = [type(one).__name__ for one in model.optimizer.optimizers]
    assert names == ["Adam", "Momentum"]
    assert int(model.optimizer.iterations) == 5


def adams_after_momentum(loss, step):
    momentum = tf.train.MomentumOptimizer(0.1, 0.9).minimize(
        loss, var_list=variables_with("1/bias")
    )
    first = tf.train.AdamOptimizer(0.1).minimize(loss, step, variables_with("kernel"))
    second = tf.train.AdamOptimizer(0.1, 0.8).minimize(loss, var_list=variables_with("dense/bias"))
    return tf.group(momentum, first, second)


def variables_with(part):
    return [v for v in tf.trainable_variables() if part in v.op.name]


def adams_in_name_scopes(loss, step):
    """Trains by two Adams whose powers are in name scopes. The second name sorts first."""
    with tf.name_scope("train_kernels"):
        first = tf.train.AdamOptimizer(0.1).minimize(loss, step, variables_with("kernel"))
    with tf.variable_scope("outer"), tf.name_scope("train_biases"):
        adam = tf.train.AdamOptimizer(0.1, 0.8, 0.99)
        second = adam.minimize(loss, var_list=variables_with("bias"))
    return tf.group(first, second)


@pytest.mark.parametrize("train", [adams_after_momentum, adams_in_name_scopes])
def test_each_adam_has_its_own_powers(train, tmp_path):
    model, estimator = _trained(train, tmp_path)
    _assert_equal(model, estimator)
    saved = tf.train.load_checkpoint(model.save_estimator_checkpoint(str(tmp_path / "again")))
    expected = tf.train.load_checkpoint(estimator.latest_checkpoint())
    shapes = expected.get_variable_to_shape_map()
    assert saved.get_variable_to_shape_map() == shapes
    for name in (name for name in shapes if "_power" in name):
        np.testing.assert_allclose(saved.get_tensor(name), expected.get_tensor(name), rtol=1e-6)


def test_sync_replicas_is_its_optimizer():
    """Its queues are dropped, since the strategy keeps the trainers in step under Keras."""
    features, labels = small.data()
    found = []
    for train in (synchronous, small.adam):
        model = bridge.KerasModelFn(small.model_fn, {"train": train})
        model.fit(features, labels, shuffle=False, verbose=0)
        found.append(model.get_weights())
    assert isinstance(model.optimizer, tf_keras.optimizers.legacy.Adam)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_train_op_leaves_out_is_not_applied():
    def second_only(loss, step):
        tf.train.AdamOptimizer(0.1).minimize(loss, step)
        return tf.train.GradientDescentOptimizer(0.0).minimize(loss, step)

    model = bridge.KerasModelFn(small.model_fn, {"train": second_only})
    features, labels = small.data()
    model.build_on(features, labels)
    before = {name: v.numpy() for name, v in model.variables_by_name.items()}
    model.fit(features, labels, batch_size=32, verbose=0)
    assert before.pop("global_step") == 0
    assert int(model.global_step) == 2
    for name, value in before.items():
        np.testing.assert_array_equal(model.variables_by_name[name], value, err_msg=name)


def test_a_planted_difference_shows(tmp_path):
    """A planted difference in the rate makes the comparison fail."""
    rates = iter([0.1, 0.1, 0.11, 0.11, 0.11])

    def train(loss, step):
        return tf.train.MomentumOptimizer(next(rates), 0.9).minimize(loss, step)

    with pytest.raises(AssertionError):
        _assert_equal(*_trained(train, tmp_path))
