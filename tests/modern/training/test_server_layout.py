"""Tests of the line that describes the variables on parameter servers."""

import pytest
import tensorflow as tf

from modern.training import server_layout

tf1 = tf.compat.v1


def _graph(partitioner, use_resource=True):
    """Returns a table of 40 MB, its slot, a bias of 4 MB and a local variable."""
    with tf.Graph().as_default():
        placer = tf1.train.replica_device_setter(ps_tasks=2)
        with tf1.device(placer), tf1.variable_scope("", use_resource=use_resource):
            tf1.get_variable("bias", [10**6], trainable=False)
            table = tf1.get_variable("table", [10**6, 10], partitioner=partitioner)
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [1]))
            tf1.train.AdagradOptimizer(0.1).minimize(loss)
        with tf.device("/job:worker/task:0"):
            tf1.get_variable("local", [10**6])
        return tf1.global_variables()


@pytest.mark.parametrize("use_resource", [True, False])
def test_the_bytes_of_each_server_are_counted(use_resource):
    whole = server_layout.describe(_graph(None, use_resource))
    assert whole == "ps-0: 4.0 MB, ps-1: 80.0 MB"
    halves = server_layout.describe(_graph(tf1.fixed_size_partitioner(2), use_resource))
    assert halves == "ps-0: 44.0 MB, ps-1: 40.0 MB (2 variables are split)"


def test_without_servers_there_is_no_line():
    assert server_layout.describe([tf.Variable(1.0)]) == ""
