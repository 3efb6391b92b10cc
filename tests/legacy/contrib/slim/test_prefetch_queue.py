"""Test of a queue of batches."""

import pytest
import tensorflow as tf

from legacy.contrib import slim

tf1 = tf.compat.v1


@pytest.mark.parametrize("named", [False, True])
def test_batches_keep_their_structure(session, named):
    number = tf1.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    batch = [number, 10 * number]
    tensors = {"x": batch[0], "a": batch[1]} if named else batch
    queue = slim.prefetch_queue.prefetch_queue(tensors, capacity=2)
    taken = queue.dequeue()
    session.run(tf1.local_variables_initializer())
    with slim.queues.QueueRunners(session):
        found = [session.run(taken) for _ in range(3)]
    expected = [[i, 10 * i] for i in range(3)]
    assert [[each["x"], each["a"]] if named else each for each in found] == expected
