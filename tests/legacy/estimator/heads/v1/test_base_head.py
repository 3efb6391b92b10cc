"""Tests of `base_head`, which defines Head and LossSpec, and builds train ops."""

import pytest
import tensorflow as tf

from legacy.estimator.heads import v1

tf1 = tf.compat.v1


def train(head, **given):
    return head.create_estimator_spec(
        {}, "train", tf.constant([[1.0], [2.0]]), tf.constant([[2.0], [4.0]]), **given
    )


def test_own_head_without_a_spec_is_told_so():
    class Own(v1.Head):
        name = None

    with pytest.raises(NotImplementedError, match="Subclasses of _Head must implement"):
        Own().create_estimator_spec({}, "train", None)


def test_update_ops_of_the_graph_run_with_the_training_step():
    with tf.Graph().as_default(), tf1.Session() as session:
        count = tf1.get_variable("count", initializer=0)
        tf1.add_to_collection(tf1.GraphKeys.UPDATE_OPS, tf1.assign_add(count, 1))
        spec = train(v1.regression_head(), train_op_fn=lambda loss: tf.no_op())
        session.run(tf1.global_variables_initializer())
        session.run(spec.train_op)
        assert session.run(count) == 1


@pytest.mark.parametrize(
    ("reduction", "tags"),
    [
        (tf1.losses.Reduction.SUM, {"loss/h": 5.0, "average_loss/h": 2.5}),
        (tf1.losses.Reduction.SUM_OVER_BATCH_SIZE, {"loss/h": 2.5}),
    ],
)
def test_mean_loss_is_a_summary_where_the_loss_is_a_sum(reduction, tags):
    head = v1.regression_head(loss_reduction=reduction, name="h")
    with tf.Graph().as_default(), tf1.Session() as session:
        train(head, train_op_fn=lambda loss: tf.no_op())
        summary = tf1.Summary.FromString(session.run(tf1.summary.merge_all()))
    assert {value.tag: value.simple_value for value in summary.value} == tags


def test_optimizer_counts_the_global_step():
    with tf.Graph().as_default(), tf1.Session() as session:
        step = tf1.train.get_or_create_global_step()
        weight = tf1.get_variable("w", initializer=1.0)
        spec = v1.regression_head().create_estimator_spec(
            {},
            "train",
            tf.constant([[1.0]]) * weight,
            tf.constant([[2.0]]),
            optimizer=tf1.train.GradientDescentOptimizer(0.5),
        )
        session.run(tf1.global_variables_initializer())
        session.run(spec.train_op)
        assert session.run([step, weight]) == [1, 2.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "cannot both be None"),
        ({"optimizer": object(), "train_op_fn": tf.identity}, "cannot both be set"),
    ],
)
def test_one_way_to_train(given, message):
    with pytest.raises(ValueError, match=message), tf.Graph().as_default():
        train(v1.regression_head(), **given)


@pytest.mark.parametrize("reduction", ["none", "sum", "invalid_loss_reduction"])
def test_reduction_that_is_none(reduction):
    with pytest.raises(ValueError, match=f"Invalid loss_reduction: {reduction}"):
        v1.regression_head(loss_reduction=reduction)
