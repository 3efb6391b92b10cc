"""Tests that a graph gets the handle of a lookup table once."""

import contextlib

import pytest
import tensorflow as tf

from modern.training.steps import table_handles


@pytest.mark.parametrize("is_sent_once", [True, False])
def test_a_graph_has_an_input_for_each_table(is_sent_once):
    tables = tf.constant(10), tf.constant(10)

    @tf.function
    def used():
        graph = tf.compat.v1.get_default_graph()
        context = table_handles.sent_once(graph) if is_sent_once else contextlib.nullcontext()
        with context:
            return [
                # As TensorFlow's DistributedTable: the handle of another table for each worker.
                graph.capture_call_time_value(
                    lambda table=table: table + 1, tf.TensorSpec([], tf.int32), default_value=table
                )
                for table in (tables[0], tables[1], tables[0])
            ]

    assert [int(value) for value in used()] == [11, 11, 11]
    inputs = used.get_concrete_function().graph.deferred_internal_captures
    assert len(inputs) == (2 if is_sent_once else 3)


def test_other_captures_keep_their_keys():
    @tf.function
    def used():
        graph = tf.compat.v1.get_default_graph()
        spec = tf.TensorSpec([], tf.int32)
        with table_handles.sent_once(graph):
            values = [graph.capture_call_time_value(lambda: tf.constant(1), spec) for _ in range(2)]
            values += [graph.capture_call_time_value(lambda: tf.constant(2), spec, key="two")] * 2
        return values

    assert [int(value) for value in used()] == [1, 1, 2, 2]
    assert len(used.get_concrete_function().graph.deferred_internal_captures) == 3
