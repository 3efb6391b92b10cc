"""Tests of the threads that fill input queues."""

import threading

import pytest
import tensorflow as tf

from legacy.contrib import slim

tf1 = tf.compat.v1


def test_threads_end_with_the_block_and_another_can_be_opened():
    before = threading.active_count()
    for _ in range(2):
        with tf.Graph().as_default(), tf1.Session() as session:
            number = tf1.train.range_input_producer(3, shuffle=False).dequeue()
            with slim.queues.QueueRunners(session):
                assert session.run(number) == 0
            assert threading.active_count() == before


def test_blocks_are_not_nested():
    with tf.Graph().as_default(), tf1.Session() as session, slim.queues.QueueRunners(session):
        nested = slim.queues.QueueRunners(session)
        with pytest.raises(slim.queues.NestedQueueRunnerError):
            nested.__enter__()
