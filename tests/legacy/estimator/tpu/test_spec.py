"""Tests of functions that run on the host. The oracle covers the errors of a spec."""

import pytest
import tensorflow as tf

from legacy.estimator.tpu.spec import TPUEstimatorSpec

tf1 = tf.compat.v1


def test_the_host_call_runs_with_each_step():
    seen = []

    def on_host(step, loss):
        return tf1.py_func(
            lambda *values: seen.append([float(v) for v in values]) or 0, [step, loss], tf.int64
        )

    with tf.Graph().as_default():
        step, loss = tf.constant(3), tf.constant(0.5)
        spec = TPUEstimatorSpec(
            "train",
            loss=loss,
            train_op=tf.no_op(),
            host_call=(on_host, {"loss": loss, "step": step}),
        ).as_estimator_spec()
        with tf1.train.SingularMonitoredSession(spec.training_hooks) as session:
            session.run(spec.train_op)
            session.run(spec.train_op)
    assert seen == [[3.0, 0.5]] * 2


@pytest.mark.parametrize(
    ("host_call", "error", "message"),
    [
        ((sum,), ValueError, "host_call should have two elements"),
        ((1, []), TypeError, r"host_call\[0\] should be callable"),
        ((lambda a, b: a, [1]), RuntimeError, "length of tensors 1 does not match"),
    ],
)
def test_host_calls_that_are_refused(host_call, error, message):
    with tf.Graph().as_default(), pytest.raises(error, match=message):
        TPUEstimatorSpec("train", loss=tf.constant(1.0), train_op=tf.no_op(), host_call=host_call)
