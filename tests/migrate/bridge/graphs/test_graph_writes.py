"""Tests for variables that a graph writes and a session would not.

The operations of tf.raw_ops write without a method of the variable, so that nothing stops them.
"""

import re

import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge.graphs import graph_writes
from tests.migrate.bridge import small


def _model_fn(writes, runs=()):
    """Returns a model_fn of one dense layer, with writes of a counter that train_op leaves out."""

    def model_fn(features, labels, mode):
        outputs = tf.layers.dense(features["x"], 1, kernel_initializer=tf.zeros_initializer())
        loss = tf.losses.mean_squared_error(labels, outputs)
        counter = tf.get_variable("counter", [1], initializer=tf.zeros_initializer())
        for write in writes:
            write(counter)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        train_op = optimizer.minimize(loss, tf.train.get_or_create_global_step())
        train_op = tf.group(train_op, [run(counter) for run in runs])
        return tf_estimator.EstimatorSpec(mode, outputs, loss, train_op)

    return model_fn


def _raw(counter):
    return tf.raw_ops.AssignAddVariableOp(resource=counter.handle, value=[1.0])


def _add(counter):
    return tf.assign_add(counter, [1.0])


def _add_in_branch(counter):
    return tf.cond(tf.constant(True), lambda: tf.assign_add(counter, [1.0]), lambda: counter)


def test_raw_operations_that_never_ran_are_found():
    with pytest.raises(bridge.BridgeError) as error:
        small.build(_model_fn([_raw]))
    message = str(error.value)
    assert "writes 'counter' and leaves it out of train_op" in message
    assert re.search(r"test_graph_writes.py, line \d+: return tf.raw_ops", message)


def test_raw_operations_in_evaluation_are_found():
    model = bridge.KerasModelFn(_model_fn([_raw]))
    with pytest.raises(bridge.BridgeError, match="writes 'counter' in mode 'eval'.*line"):
        model.evaluate(*small.data(), verbose=0)


@pytest.mark.parametrize("run", [_add, _add_in_branch])
def test_a_variable_that_a_step_writes_too_is_found(run):
    with pytest.raises(bridge.BridgeError, match="writes 'counter' and leaves it out"):
        small.build(_model_fn([_add], [run]))


def test_a_function_may_write_what_it_gets():
    with tf.Graph().as_default() as graph:
        counter, other = (tf.get_variable(name, [1]) for name in ("counter", "other"))
        _add_in_branch(counter)
        tf.assign_add(other, [1.0])
        ops = graph.get_operations()
        assert graph_writes.may_write([op for op in ops if op.type == "If"]) == {"counter"}
        assert graph_writes.may_write(ops) == {"counter", "other"}
