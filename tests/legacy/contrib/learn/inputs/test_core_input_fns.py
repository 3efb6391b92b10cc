"""Tests that the input functions of contrib.learn.io shuffle by default."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib.learn import io

tf1 = tf.compat.v1


def order(input_fn):
    with tf.Graph().as_default():
        tf1.set_random_seed(7)
        features, labels = input_fn()
        with tf1.train.MonitoredSession() as session:
            x, y = session.run([features["x"], labels])
    assert (x == -y).all()
    return x.tolist()


@pytest.mark.parametrize("shuffle", [None, False])
def test_of_arrays(shuffle):
    x = np.arange(50.0)
    given = {} if shuffle is None else {"shuffle": shuffle}
    found = order(io.numpy_input_fn({"x": x}, -x, batch_size=50, **given))
    assert sorted(found) == x.tolist()
    assert (found == x.tolist()) is (shuffle is False)


@pytest.mark.parametrize("shuffle", [None, False])
def test_of_frames(shuffle):
    pandas = pytest.importorskip("pandas")
    x = np.arange(50.0)
    given = {} if shuffle is None else {"shuffle": shuffle}
    frame = pandas.DataFrame({"x": x})
    found = order(io.pandas_input_fn(frame, pandas.Series(-x), batch_size=50, **given))
    assert sorted(found) == x.tolist()
    assert (found == x.tolist()) is (shuffle is False)
