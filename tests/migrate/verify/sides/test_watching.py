"""Tests for the record of applied gradients."""

import pytest
import tensorflow as tf

from migrate.verify.sides import watching

tf1 = tf.compat.v1


class Own(tf1.train.Optimizer):
    """Optimizer that overrides `apply_gradients` without calling its base class, as was common."""

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        return tf.group(*[v.assign_sub(g) for g, v in grads_and_vars if g is not None])


@pytest.mark.parametrize(
    "optimizer", [lambda: tf1.train.AdamOptimizer(0.1), lambda: Own(False, "own")]
)
def test_watches_what_is_applied(optimizer):
    original = Own.apply_gradients
    with tf.Graph().as_default(), watching.applied_gradients() as applied:
        used, unused = tf1.get_variable("a", [2]), tf1.get_variable("b", [2])
        optimizer().minimize(tf.reduce_sum(used**2), var_list=[used, unused])

    assert [variable.name for _, variable in applied.pairs] == ["a:0"]
    assert len(applied.optimizers) == len(applied.pair_optimizers) == 1
    assert Own.apply_gradients is original
