"""Tests for intercepting the optimizers of a model_fn."""

import tensorflow as tf

from migrate.bridge.optimizers import watching

tf1 = tf.compat.v1


class Noted:
    """Watcher that notes the optimizers and variables, and calls own methods."""

    def __init__(self):
        self.applied, self.own = [], []

    def compute(self, loss, call):
        return call(loss)

    def apply(self, optimizer, pairs, step, name):
        self.applied.append((type(optimizer).__name__, [variable.op.name for _, variable in pairs]))
        return tf.no_op()

    def apply_own(self, optimizer, pairs, call):
        self.own.append(type(optimizer).__name__)
        return call(pairs)


class Scaled(tf1.train.GradientDescentOptimizer):
    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        pairs = [(2.0 * gradient, variable) for gradient, variable in grads_and_vars]
        return super().apply_gradients(pairs, global_step, name)


def minimize(optimizer):
    with tf.Graph().as_default(), tf1.Session() as session:
        variable = tf1.get_variable("w", initializer=1.0, use_resource=True)
        train_op = optimizer.minimize(variable**2, tf1.train.get_or_create_global_step())
        session.run(tf1.global_variables_initializer())
        session.run(train_op)
        return session.run(variable)


def test_a_watcher_takes_the_place_of_each_optimizer():
    watcher = Noted()
    with watching.watch(watcher):
        sync = tf1.train.SyncReplicasOptimizer(tf1.train.AdamOptimizer(), 1)
        assert minimize(sync) == minimize(Scaled(0.1)) == 1

    assert watcher.applied == [("AdamOptimizer", ["w"]), ("Scaled", ["w"])]
    assert watcher.own == ["Scaled"]


def test_outside_of_training_nothing_is_applied():
    with watching.watch(watching.AppliesNothing()):
        assert minimize(Scaled(0.1)) == 1
    assert minimize(Scaled(0.25)) == 1 - 0.25 * 2 * 2
