"""Tests of feeding arrays and iterators."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib.learn.inputs import data_feeder


def batches(feeder, limit=10):
    """Returns the features and the labels of all batches."""
    with tf.Graph().as_default():
        x, y = feeder.input_builder()
    feed, found = feeder.get_feed_dict_fn(), []
    while len(found) < limit:
        try:
            fed = feed()
        except StopIteration:
            break
        found.append((fed[x.name].tolist(), None if y is None else fed[y.name].tolist()))
    return found


def test_epochs_end_with_a_smaller_batch():
    feeder = data_feeder.make_feeder(np.arange(3), np.array([[5], [6], [7]]), 2, False, 2)
    assert batches(feeder) == [([[0], [1]], [5, 6]), ([[2]], [7])] * 2


def test_each_epoch_is_shuffled_in_the_same_order_in_every_run():
    runs = [batches(data_feeder.make_feeder(np.arange(8), None, None, True, 2)) for _ in range(2)]
    assert runs[0] == runs[1]
    (first, _), (second, _) = runs[0]
    assert first != second
    assert sorted(first) == sorted(second) == [[i] for i in range(8)]


def test_iterators_are_read_once():
    x, y = iter([{"a": np.ones(2) * i} for i in range(3)]), iter([1.0, 2.0, 3.0])
    feeder = data_feeder.make_feeder(x, y, 2, True, None)
    with tf.Graph().as_default():
        features, labels = feeder.input_builder()
    feed = feeder.get_feed_dict_fn()
    assert [feed()[labels.name].tolist() for _ in range(2)] == [[1.0, 2.0], [3.0]]
    assert features["a"].shape.as_list() == [None, 2]
    with pytest.raises(StopIteration):
        feed()


def test_what_is_refused():
    with pytest.raises(ValueError, match="Invalid batch_size 0"):
        data_feeder.make_feeder(np.arange(3), None, 0, True, None)
    with pytest.raises(ValueError, match="Both x and y should be iterators"):
        data_feeder.make_feeder(iter([1]), [1], 1, True, None)
