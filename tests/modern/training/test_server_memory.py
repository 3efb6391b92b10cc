"""Tests that variables which do not fit on the parameter servers are refused."""

import pytest
import tensorflow as tf
import tf_keras

from modern.process import cli
from modern.training import server_memory


def test_the_first_variable_that_does_not_fit_is_named():
    with server_memory.limited({"a": 3 << 20, "b": 2 << 20}):
        tf_keras.layers.Embedding(1 << 16, 16, name="table").build(None)
        with pytest.raises(cli.UsageError) as error:
            tf_keras.layers.Embedding(1 << 15, 16, name="other").build(None)
    assert all(
        text in str(error.value)
        for text in ('"embeddings" of shape (32768, 16)', "6.3 MB", "a has 3.1 MB, b has 2.1 MB")
    )


def test_nothing_is_refused_if_the_memory_is_unknown():
    with server_memory.limited({}):
        assert tf.Variable(tf.zeros([1000])).shape == [1000]
