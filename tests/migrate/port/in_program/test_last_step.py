"""Tests that a step without data updates nothing."""

import types

import numpy as np
import tensorflow as tf

from migrate.port import randomness
from migrate.port.in_program import determinism, last_step
from migrate.same_run import recording

v1 = tf.compat.v1


def _step(count, more=None):
    """Returns the data, the train_op and the averages of Adam, in the default graph."""
    ids = v1.data.make_one_shot_iterator(tf.data.Dataset.range(count).batch(1)).get_next()
    table = v1.get_variable("table", [4, 2], initializer=v1.ones_initializer())
    optimizer = v1.train.AdamOptimizer(0.1)
    loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids))
    train_op = optimizer.minimize(loss, v1.train.get_or_create_global_step())
    if more is not None:
        train_op = tf.group(train_op, more())
    return ids, train_op, [optimizer.get_slot(table, name) for name in ("m", "v")]


def _after_the_data(train_op, slots):
    """Returns the averages after the last step, and after the one that found no data."""
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for _ in range(3):
            session.run(train_op)
        before = session.run(slots)
        for _ in range(20):
            try:
                session.run(train_op)
            except tf.errors.OutOfRangeError:
                continue
            raise AssertionError("there was more data")
        return before, session.run(slots)


def test_the_averages_of_adam_stay_in_a_step_without_data():
    with tf.Graph().as_default():
        ids, train_op, slots = _step(3)
        assert last_step.wait([{"ids": ids}, None], train_op) == 2
        assert last_step.wait([ids], train_op) == 0
        before, after = _after_the_data(train_op, slots)
        np.testing.assert_array_equal(before, after)


def test_other_updates_wait_too_but_not_those_that_the_data_need():
    with tf.Graph().as_default():
        counter = v1.get_variable("counter", [], tf.int64, v1.zeros_initializer())
        counted = v1.assign_add(counter, 1)
        with tf.control_dependencies([counted]):
            data = tf.identity(counter)
        _, train_op, _ = _step(3, more=lambda: tf.group(counted, tf.identity(data)))
        assert last_step.wait([data], tf.group(counted, tf.identity(data))) == 0
        assert last_step.wait([None], train_op) == 0


def test_only_trainings_are_patched():
    notes = []

    class Estimator:
        def _call_model_fn(self, features, labels, mode, config):
            return types.SimpleNamespace(train_op=self.train_op)

    patches = last_step.patches(lambda: notes.append(1))
    patches["legacy.estimator.estimator"](types.SimpleNamespace(Estimator=Estimator))
    for mode, count in (("eval", 0), ("train", 1)):
        with tf.Graph().as_default():
            estimator = Estimator()
            ids, estimator.train_op, _ = _step(3)
            estimator._call_model_fn(ids, None, mode, None)
        assert len(notes) == count


def test_the_certificate_names_the_condition(tmp_path):
    recording.append_event(str(tmp_path), {"kind": determinism.LAST_STEP})
    (condition,) = randomness.conditions(str(tmp_path))
    assert "finds no more data" in condition
