"""Tests of evaluating checkpoints."""

import pytest
import tensorflow as tf

from legacy.contrib import slim

tf1 = tf.compat.v1


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default(), tf1.Session() as session:
        weight = tf1.get_variable("weight", initializer=3.0)
        step = tf1.train.create_global_step()
        session.run(tf1.global_variables_initializer())
        return tf1.train.Saver([weight, step]).save(session, str(tmp_path / "model"), global_step=7)


@pytest.mark.parametrize("loop", [False, True])
def test_metrics_are_updated_and_summaries_written(checkpoint, tmp_path, loop):
    with tf.Graph().as_default():
        weight = tf1.get_variable("mine", initializer=0.0)
        step = tf1.train.create_global_step()
        total, update = tf1.metrics.mean(weight)
        count = tf1.get_variable(
            "count", initializer=0, trainable=False, collections=[tf1.GraphKeys.LOCAL_VARIABLES]
        )
        tf1.summary.scalar("mean", total)
        common = {
            "num_evals": 4,
            "eval_op": [update, tf1.assign_add(count, 1)],
            "final_op": [total, count],
            "variables_to_restore": {"weight": weight, "global_step": step},
        }
        logdir = str(tmp_path / "eval")
        if loop:
            found = slim.evaluation.evaluation_loop(
                "", str(tmp_path), logdir, max_number_of_evaluations=1, **common
            )
        else:
            found = slim.evaluation.evaluate_once("", checkpoint, logdir, **common)
    assert found == [3.0, 4]
    (path,) = (tmp_path / "eval").iterdir()
    values = [
        value.simple_value
        for event in tf1.train.summary_iterator(str(path))
        for value in event.summary.value
    ]
    assert values == [3.0]
