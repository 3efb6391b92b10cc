"""Tests of the parts of contrib.tpu that have an effect without a TPU."""

import pytest
import tensorflow as tf

from legacy.contrib import tpu

tf1 = tf.compat.v1


def test_repeat_counts_in_the_graph():
    with tf.Graph().as_default(), tf1.Session() as session:
        assert session.run(tpu.repeat(3, lambda x: [x * 2], [tf.constant(5)])) == 40
        counter = tf1.get_variable("counter", initializer=0, use_resource=True)
        session.run(counter.initializer)
        session.run(tpu.repeat(4, lambda: tf1.assign_add(counter, 2).op))
        assert session.run(counter) == 8


def test_one_replica():
    with tf.Graph().as_default(), tf1.Session() as session:
        assert session.run(tpu.cross_replica_sum(tf.constant([1, 2]))).tolist() == [1, 2]
        assert tpu.outside_compilation(lambda a, b: a + b, 1, b=2) == 3


def test_bfloat16_scope_keeps_variables_in_float32():
    with tf.Graph().as_default(), tpu.bfloat16_scope():
        value = tf1.get_variable("v", [2], tf.bfloat16)
        (variable,) = tf1.global_variables()
    assert value.dtype == tf.bfloat16
    assert variable.dtype.base_dtype == tf.float32


def test_what_needs_a_tpu_says_so():
    with pytest.raises(NotImplementedError, match=r"tf\.contrib\.tpu\.rewrite .* needs a TPU"):
        tpu.rewrite(lambda: None)
    with pytest.raises(AttributeError, match="InfeedQueue is not provided"):
        _ = tpu.InfeedQueue
