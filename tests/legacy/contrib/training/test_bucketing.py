"""Tests of arguments that bucketing rejects. The oracle compares its batches."""

import pytest
import tensorflow as tf

from legacy.contrib import training


def test_sparse_tensors_are_refused():
    with tf.Graph().as_default():
        sparse = tf.sparse.from_dense([[1, 0]])
        with pytest.raises(NotImplementedError, match=r"tf\.sparse\.to_dense"):
            training.bucket([sparse], 0, 2, 3)


def test_a_dict_comes_back_as_a_dict():
    with tf.Graph().as_default():
        example = {"b": tf.constant([1.0, 2.0]), "a": tf.constant(1)}
        lengths, batch = training.bucket_by_sequence_length(2, example, 4, [3])
        assert {name: tensor.shape.as_list() for name, tensor in batch.items()} == {
            "a": [4],
            "b": [4, 2],
        }
        assert lengths.shape.as_list() == [4]


def test_dropped_input_makes_no_batch():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        number = tf.compat.v1.train.input_producer(
            tf.range(4), num_epochs=1, shuffle=False
        ).dequeue()
        keep = tf.equal(number % 2, 0)
        _, batch = training.bucket([number], 0, 2, 1, keep_input=keep)
        session.run(tf.compat.v1.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.compat.v1.train.start_queue_runners(session, coordinator)
        assert session.run(batch[0]).tolist() == [0, 2]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(batch[0])
        coordinator.request_stop()
        coordinator.join(threads)
