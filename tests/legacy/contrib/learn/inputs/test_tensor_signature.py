"""Tests of signatures that later input must match."""

import pytest
import tensorflow as tf

from legacy.contrib.learn.inputs import tensor_signature

tf1 = tf.compat.v1


@pytest.mark.parametrize(
    ("shape", "dtype", "expected"),
    [
        ([9, 3], tf.float32, True),
        ([None, None], tf.float32, True),
        ([2, 4], tf.float32, False),
        ([2, 3, 1], tf.float32, False),
        ([2, 3], tf.int32, False),
    ],
)
def test_all_but_the_batch_size_must_match(shape, dtype, expected):
    seen = tensor_signature.signatures({"x": tf.zeros([2, 3])})
    with tf.Graph().as_default():
        new = tf1.placeholder(dtype, shape)
        assert tensor_signature.compatible({"x": new, "more": new}, seen) is expected
        assert not tensor_signature.compatible({"other": new}, seen)
        assert not tensor_signature.compatible(new, seen)
    assert tensor_signature.compatible(None, None)
    assert not tensor_signature.compatible(None, seen)


def test_placeholders_have_the_signature():
    sparse = tf.sparse.from_dense([[1]])
    seen = tensor_signature.signatures({"x": tf.zeros([2, 3]), "s": sparse})
    assert not tensor_signature.compatible({"x": tf.zeros([2, 3]), "s": tf.ones([1])}, seen)
    with tf.Graph().as_default():
        made = tensor_signature.placeholders(seen)
    assert made["x"].shape.as_list() == [None, 3]
    assert isinstance(made["s"], tf.SparseTensor)
    assert tensor_signature.placeholders(None) is None
