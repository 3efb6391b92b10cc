"""Tests of covariance, counts and concatenations of several batches."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import metrics

tf1 = tf.compat.v1

X = np.random.RandomState(0).normal(100.0, 1.0, (3, 4)).astype("float32")
Y = (0.5 * X + np.random.RandomState(1).normal(size=(3, 4))).astype("float32")


def streamed(session, make):
    """Returns the value of a metric after three batches, and the last update."""
    x, y = (tf1.placeholder(tf.float32, [4]) for _ in range(2))
    value, update = make(x, y)
    session.run(tf1.local_variables_initializer())
    for batch in zip(X, Y, strict=True):
        last = session.run(update, dict(zip((x, y), batch, strict=True)))
    return session.run(value), last


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (metrics.streaming_covariance, np.cov(X.ravel(), Y.ravel())[0, 1]),
        (metrics.streaming_pearson_correlation, np.corrcoef(X.ravel(), Y.ravel())[0, 1]),
    ],
)
def test_of_all_batches(session, metric, expected):
    value, last = streamed(session, metric)
    assert value == last == pytest.approx(expected, rel=1e-3)


def test_counts_are_weighed(session):
    value, _ = streamed(session, lambda x, y: metrics.count(x, weights=[1.0, 0.0, 2.0, 0.0]))
    assert value == 9


@pytest.mark.parametrize(("limit", "size"), [(None, 12), (5, 5)])
def test_values_are_kept(session, limit, size):
    value, last = streamed(session, lambda x, y: metrics.streaming_concat(x, max_size=limit))
    np.testing.assert_array_equal(value, X.ravel()[:size])
    assert last == size
    with pytest.raises(ValueError, match="axis = 1 not in"):
        metrics.streaming_concat(tf.zeros([2]), axis=1)
