"""Tests of an unchanged model_fn's rate, which falls like modern.optimizers' LinearDecay."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from legacy import learning_rates
from modern.optimizers import schedules

STEPS = 5


def model_fn(features, labels, mode, params):
    """Adds the rate to its one variable in each step, so that the variable is the sum of rates."""
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    loss = -weight + 0.0 * tf.reduce_sum(tf.cast(features, tf.float32))
    if mode != tf_estimator.ModeKeys.TRAIN:
        return tf_estimator.EstimatorSpec(mode, loss=loss)
    optimizer = tf.train.GradientDescentOptimizer(params["learning_rate"])
    step = tf.train.get_or_create_global_step()
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=optimizer.minimize(loss, step))


def input_fn():
    return tf.data.Dataset.from_tensors((tf.ones([2]), tf.ones([2]))).repeat()


def test_the_rate_falls_as_it_does_with_keras(tmp_path):
    estimator = tf_estimator.Estimator(
        learning_rates.with_linear_decay(model_fn, STEPS),
        model_dir=str(tmp_path),
        params={"learning_rate": 0.5},
    )
    moved = []
    for step in range(1, STEPS + 1):
        estimator.train(input_fn, max_steps=step)
        moved.append(estimator.get_variable_value("weight"))
    schedule = schedules.LinearDecay(0.5, STEPS)
    rates = [float(schedule(step)) for step in range(STEPS)]
    np.testing.assert_allclose(moved, np.cumsum(rates), rtol=1e-6)
    assert set(estimator.evaluate(input_fn, steps=1)) == {"loss", "global_step"}


def test_the_model_fn_gets_the_arguments_that_it_names(tmp_path):
    seen = []

    def with_config(features, labels, mode, params, config):
        seen.append(config.model_dir)
        return model_fn(features, labels, mode, params)

    def without_labels(features, mode, params):
        seen.append(None)
        return model_fn(features, None, mode, params)

    for function in (with_config, without_labels):
        estimator = tf_estimator.Estimator(
            learning_rates.with_linear_decay(function, STEPS),
            model_dir=str(tmp_path / function.__name__),
            params={"learning_rate": 0.5},
        )
        estimator.train(input_fn, steps=1)
    assert seen == [str(tmp_path / "with_config"), None]
