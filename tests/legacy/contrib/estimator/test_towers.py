"""Tests of one model function on several devices."""

import numpy as np
import pytest
import tensorflow as tf

from legacy import estimator
from legacy.contrib.estimator import towers

tf1 = tf.compat.v1

CPUS = ["/device:CPU:0"] * 2


def model_fn(features, labels, mode):
    weight = tf1.get_variable("weight", initializer=1.0)
    loss = tf1.losses.mean_squared_error(labels, weight * features)
    optimizer = towers.TowerOptimizer(tf1.train.GradientDescentOptimizer(0.5))
    return estimator.EstimatorSpec(
        mode, loss=loss, train_op=optimizer.minimize(loss, tf1.train.get_global_step())
    )


@pytest.mark.parametrize(
    ("reduction", "factor"),
    [(tf1.losses.Reduction.SUM_BY_NONZERO_WEIGHTS, 0.5), (tf1.losses.Reduction.SUM, 1.0)],
)
def test_gradients_of_all_parts_of_the_batch_are_applied_once(session, reduction, factor):
    x, y = np.float32([1, 2, 3, 4]), np.float32([3, 3, 3, 3])
    step = tf1.train.create_global_step()
    replicated = towers.replicate_model_fn(model_fn, reduction, CPUS)
    spec = replicated(tf.constant(x), tf.constant(y), "train")
    (weight,) = tf1.trainable_variables()
    session.run(tf1.global_variables_initializer())
    # Each tower's loss is the mean over its two examples.
    assert session.run(spec.loss) == pytest.approx(factor * ((y - x) ** 2).sum() / 2)
    session.run(spec.train_op)
    gradient = factor * (2 * (x - y) * x).sum() / 2
    assert session.run([weight, step]) == [pytest.approx(1 - 0.5 * gradient), 1]


@pytest.mark.usefixtures("session")
def test_what_is_refused():
    with pytest.raises(ValueError, match="none reduction is specified"):
        towers.replicate_model_fn(model_fn, tf1.losses.Reduction.NONE)
    replicated = towers.replicate_model_fn(model_fn, devices=CPUS)
    with pytest.raises(ValueError, match="Batch size 3 needs to be divisible by"):
        replicated(tf.ones([3]), tf.ones([3]), "train")

    def plain(features, labels, mode):
        return estimator.EstimatorSpec(mode, loss=tf.reduce_sum(features), train_op=tf.no_op())

    with pytest.raises(ValueError, match="Please wrap optimizers with TowerOptimizer"):
        towers.replicate_model_fn(plain, devices=CPUS)(tf.ones([2]), tf.ones([2]), "train")


def test_an_optimizer_after_a_failed_model_fn_updates_its_variables():
    def failing_model_fn(features, labels, mode):
        raise RuntimeError("no model")

    with tf.Graph().as_default(), tf1.Session() as session:
        replicated = towers.replicate_model_fn(failing_model_fn, devices=["/cpu:0", "/cpu:0"])
        with pytest.raises(RuntimeError, match="no model"):
            replicated(tf.zeros([2, 1]), tf.zeros([2]), estimator.ModeKeys.TRAIN)
        variable = tf1.get_variable("v", initializer=1.0)
        train_op = towers.TowerOptimizer(tf1.train.GradientDescentOptimizer(0.5)).minimize(variable)
        session.run(tf1.global_variables_initializer())
        session.run(train_op)
        assert session.run(variable) == 0.5
