"""Tests for single steps of both optimizers from tiny gradients."""

import pytest
import tensorflow.compat.v1 as tf

from migrate import verify
from migrate.verify import results
from tests.migrate.verify import program, tiny, tiny_runs


@pytest.mark.parametrize(
    ("momentum", "verdict"),
    [(1e-30, results.SAME), (0.0, results.DIFFERENT)],  # with 0, epsilon is outside the root
)
def test_asks_optimizers_alone_where_epsilon_tells(momentum, verdict):
    def build_model():
        return tiny.port(program.FromOnes(0.1, rho=0.9, momentum=momentum, epsilon=1e-10))

    report = tiny_runs.run(build_model, {"optimizer": "rmsprop"})
    assert report.levels[4].verdict == verdict
    assert ("tiny gradients" in tiny_runs.findings(report, 5)) == (verdict == results.DIFFERENT)


def scaled_model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features, 2, name="logits")
    logits *= tf.get_variable("scale", [], initializer=tf.ones_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.train.AdamOptimizer(params["rate"]).minimize(loss, tf.train.get_global_step())
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}
    return tiny.Spec(mode, loss, train_op, metrics, logits)


class Scaled(tiny.Tracked):
    """Port with a weight that has no axes."""

    def __init__(self, params):
        super().__init__(params)
        self.scale = self.add_weight(name="scale", shape=[], initializer="ones")

    def call(self, features, training=False):
        return self.logits(features) * self.scale


def test_a_weight_may_have_no_axes():
    options = {"params": tiny.params, "update_steps": 2}
    report = verify.verify(scaled_model_fn, Scaled, tiny.input_fn, **options)
    assert report.levels[4].verdict == results.SAME
