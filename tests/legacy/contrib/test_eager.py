"""Tests of contrib.eager."""

import numpy as np
import tensorflow as tf

from legacy.contrib import eager


def test_devices():
    assert any("CPU" in name for name in eager.list_devices())
    assert eager.num_gpus() == len(tf.config.list_logical_devices("GPU"))


def test_metrics_and_iterators():
    mean = eager.metrics.Mean()
    mean(np.array([1.0, 3.0]))
    assert float(mean.result()) == 2.0
    assert [int(x) for x in eager.Iterator(tf.data.Dataset.range(3))] == [0, 1, 2]
    assert eager.in_eager_mode()


def test_variables_are_resources_where_the_default_is_another():
    with tf.Graph().as_default(), tf.compat.v1.variable_scope("a", use_resource=False):
        made = eager.Variable(1.0, trainable=False, name="made")
        old = tf.compat.v1.Variable(1.0, use_resource=False)
    assert (made.op.type, made.op.name, made.trainable) == ("VarHandleOp", "a/made", False)
    assert isinstance(made, eager.Variable)
    assert not isinstance(old, eager.Variable)
