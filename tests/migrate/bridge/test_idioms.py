"""Tests that idioms such as accumulated gradients continue a training as the Estimator does."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small


def accumulating(features, labels, mode):
    """Accumulates gradients over two batches by hand, and applies them in a tf.cond."""
    loss = tf.losses.mean_squared_error(labels, small.model(features))
    step = tf.train.get_or_create_global_step()
    optimizer, variables = tf.train.AdamOptimizer(0.1), tf.trainable_variables()
    gradients = tf.gradients(loss, variables)
    sums = [
        tf.get_variable(v.op.name + "_sum", v.shape, initializer=tf.zeros_initializer, trainable=0)
        for v in variables
    ]

    def apply():
        added = [(s + g, v) for s, g, v in zip(sums, gradients, variables, strict=True)]
        with tf.control_dependencies([optimizer.apply_gradients(added)]):
            return tf.group([s.assign(tf.zeros_like(s)) for s in sums])

    def gather():
        return tf.group([s.assign_add(g) for s, g in zip(sums, gradients, strict=True)])

    done = tf.cond(tf.equal((step + 1) % 2, 0), apply, gather)
    with tf.control_dependencies([done]):
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=step.assign_add(1))


def keras_within(features, labels, mode):
    """Uses Keras layers, a metric in each mode, and get_updates, as in TensorFlow's guide."""
    layers = [tf_keras.layers.Dense(3), tf_keras.layers.BatchNormalization()]
    model = tf_keras.Sequential([*layers, tf_keras.layers.Dense(1)])
    outputs = model(features["x"], training=mode == tf_estimator.ModeKeys.TRAIN)
    loss = tf.losses.mean_squared_error(labels, outputs)
    error = tf_keras.metrics.MeanAbsoluteError()
    error.update_state(labels, outputs)
    optimizer = tf_keras.optimizers.legacy.Adam(0.1)
    optimizer.iterations = tf.train.get_or_create_global_step()
    metrics = {"mae": error} if mode == tf_estimator.ModeKeys.EVAL else None
    train_op = None
    if mode == tf_estimator.ModeKeys.TRAIN:
        updates = model.get_updates_for(None) + model.get_updates_for(features["x"])
        train_op = tf.group(optimizer.get_updates(loss, model.trainable_variables)[0], updates)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def with_a_head(features, labels, mode):
    def train(loss):
        return tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())

    labels = tf.cast(labels > 0, tf.int64)
    head, logits = tf_estimator.BinaryClassHead(), small.model(features)
    return head.create_estimator_spec(features, mode, logits, labels=labels, train_op_fn=train)


def partitioned(features, labels, mode):
    """Splits variables and their slots by a partitioner."""
    with tf.variable_scope("split", partitioner=tf.fixed_size_partitioner(2)):
        outputs = small.model(features)
    loss = tf.losses.mean_squared_error(labels, outputs)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def counting_by_hand(features, labels, mode):
    """Returns a variable as the value of a metric, as confusion matrices were accumulated."""
    loss = tf.losses.mean_squared_error(labels, small.model(features))
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    metrics = None
    if mode == tf_estimator.ModeKeys.EVAL:
        signs = tf.get_variable(
            "signs", [2], tf.int32, tf.zeros_initializer, collections=["local_variables"]
        )
        found = tf.stack([tf.reduce_sum(tf.cast(s * labels > 0, tf.int32)) for s in (1, -1)])
        metrics = {"signs": (signs, signs.assign_add(found))}
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


@pytest.mark.parametrize(
    "model_fn", [accumulating, keras_within, with_a_head, partitioned, counting_by_hand]
)
def test_it_goes_on_as_the_estimator_does(model_fn, tmp_path):
    estimator = tf_estimator.Estimator(model_fn, str(tmp_path / "estimator"))
    estimator.train(small.endless, max_steps=3)
    model = bridge.KerasModelFn(model_fn)
    model.load_estimator_checkpoint(str(tmp_path / "estimator"))
    model.fit(small.endless(), steps_per_epoch=3, verbose=0)
    estimator.train(small.endless, max_steps=6)
    if model_fn is not accumulating:  # which trains in evaluations, too
        expected = estimator.evaluate(small.input_fn)
        found = model.evaluate(small.input_fn(), verbose=0, return_dict=True)
        assert expected.pop("global_step") == int(model.global_step) == 6
        assert sorted(found) == sorted(expected)
        for name, value in expected.items():
            np.testing.assert_allclose(found[name], value, rtol=1e-5, err_msg=name)
    saved = tf.train.load_checkpoint(model.save_estimator_checkpoint(str(tmp_path / "model.ckpt")))
    other = tf.train.load_checkpoint(estimator.latest_checkpoint())
    assert saved.get_variable_to_shape_map() == other.get_variable_to_shape_map()
    for name in other.get_variable_to_shape_map():
        np.testing.assert_allclose(
            saved.get_tensor(name), other.get_tensor(name), rtol=1e-4, atol=2e-6, err_msg=name
        )
