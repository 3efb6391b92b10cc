"""Tests that datasets of arrays have the batches that contrib.learn fed."""

import numpy as np
import pandas as pd
import pytest
import tensorflow as tf

from legacy.contrib.learn.inputs import data_feeder
from modern import porting

tf1 = tf.compat.v1
FLOATS = np.arange(14, dtype=np.float64).reshape(7, 2)


def _fed(x, y, batch_size, shuffle, epochs, count):
    """Returns the batches that contrib.learn feeds."""
    with tf.Graph().as_default(), tf1.Session() as session:
        feeder = data_feeder.DataFeeder(x, y, batch_size, shuffle, epochs)
        features, labels = feeder.input_builder()
        tensors = features if labels is None else (features, labels)
        feed = feeder.get_feed_dict_fn()
        batches = []
        while len(batches) < count:
            try:
                batches.append(session.run(tensors, feed()))
            except StopIteration:
                break
        return batches


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (FLOATS, np.arange(7)),
        (FLOATS[:, 0], np.arange(7)[:, None]),
        ({"b": FLOATS, "a": list(range(7))}, pd.Series(range(7), dtype=np.int32)),
        (pd.DataFrame(FLOATS, columns=["b", "a"]), None),
        ([[0.5]] * 7, [[1]] * 7),
    ],
)
@pytest.mark.parametrize("batch_size", [None, 3])
def test_batches_are_those_of_contrib_learn(x, y, batch_size):
    for shuffle, count in ((True, 8), (False, 9)):
        epochs = None if shuffle else 1
        expected = _fed(x, y, batch_size, shuffle, epochs, count)
        data = porting.array_dataset(x, y, batch_size, shuffle=shuffle, repeat=shuffle)
        batches = list(data.take(count).as_numpy_iterator())
        assert len(batches) == len(expected)
        for batch, other in zip(batches, expected, strict=True):
            tf.nest.assert_same_structure(batch, other)
            for a, b in zip(tf.nest.flatten(batch), tf.nest.flatten(other), strict=True):
                np.testing.assert_array_equal(a, b)
                assert a.dtype == b.dtype


@pytest.mark.parametrize("data", [iter(FLOATS), tf.constant(1.0)])
def test_iterators_and_tensors_are_refused(data):
    with pytest.raises(TypeError, match="must be arrays"):
        porting.array_dataset(data)


def test_the_batch_size_is_positive():
    with pytest.raises(ValueError, match="Invalid batch_size 0"):
        porting.array_dataset(FLOATS, batch_size=0)
