"""Tests of `migrate.batches`, which draws batches of an input_fn once for several models."""

import numpy as np
import pytest
import tensorflow as tf

from migrate import batches
from modern.process import cli

tf1 = tf.compat.v1


def dataset():
    return tf.data.Dataset.range(10).map(lambda x: ({"x": tf.cast(x, tf.float32)}, x)).batch(4)


def test_draws_a_dataset_to_its_end():
    drawn = batches.draw(dataset, 10)

    assert drawn.ended
    assert [batch.size for batch in drawn.items] == [4, 4, 2]
    np.testing.assert_array_equal(drawn.items[2].labels, [8, 9])


def test_stops_at_the_limit():
    drawn = batches.draw(lambda: dataset().repeat(), 2)

    assert not drawn.ended
    assert len(drawn.items) == 2


def test_takes_tensors_and_features_alone():
    drawn = batches.draw(lambda: tf.ones([3, 2]), 5)

    assert len(drawn.items) == 1
    assert drawn.items[0].labels is None
    assert drawn.items[0].features.shape == (3, 2)


def test_takes_queues():
    def queued():
        value = tf1.train.input_producer(tf.constant([[1.0], [2.0]]), shuffle=False).dequeue()
        return tf1.train.batch([value], 2), None

    drawn = batches.draw(queued, 2)
    assert [batch.features.tolist() for batch in drawn.items] == [[[1.0], [2.0]]] * 2


def test_keeps_sparse_tensors():
    sparse = batches.draw(lambda: {"w": tf.sparse.from_dense([[0, 5], [6, 0]])}, 1).items[0]

    np.testing.assert_array_equal(sparse.features["w"].values, [5, 6])
    assert sparse.size == 2


def test_gives_mode_and_params_to_a_function_that_asks():
    drawn = batches.draw(
        lambda params: tf.fill([2], params["n"]), 1, {"mode": "x", "params": {"n": 7}}
    )
    assert drawn.items[0].features.tolist() == [7, 7]


@pytest.mark.parametrize(
    ("input_fn", "told"),
    [
        (lambda: dataset().take(0), "yields no batch"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (
            lambda: dataset().map(lambda x, y: tf.io.decode_raw(tf.as_string(y), tf.int32)),
            "reading a batch failed",
        ),
        (lambda: {"x": 3}, "yields a int"),
    ],
    ids=["empty", "fails", "fails when read", "no tensor"],
)
def test_refuses(input_fn, told):
    with pytest.raises(cli.UsageError, match=told):
        batches.draw(input_fn, 3)
