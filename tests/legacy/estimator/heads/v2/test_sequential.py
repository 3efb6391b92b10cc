"""Tests of `sequential`, which applies a head to each step of a sequence."""

import pytest
import tensorflow as tf

from legacy.estimator import heads
from legacy.estimator.heads.v2 import sequential

tf1 = tf.compat.v1

MASK = [[1, 1], [1, 0]]


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (tf.constant([[1, 2], [3, 4]]), [[1], [2], [3]]),
        (tf.constant([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), [[1, 2], [3, 4], [5, 6]]),
        (tf.SparseTensor([[0, 0], [1, 0], [0, 1]], [1, 3, 2], [2, 2]), [[1], [2], [3]]),
    ],
)
def test_flatten(tensor, expected):
    found = sequential._flatten_tensor(tensor, tf.constant(MASK), 3)
    assert found.numpy().tolist() == expected


def test_sparse_labels_that_are_not_as_many_as_the_steps():
    labels = tf.SparseTensor([[0, 0]], [1], [2, 2])
    with pytest.raises(ValueError, match="incompatible with provided mask"):
        sequential._flatten_tensor(labels, tf.constant(MASK), 3)
    with tf.Graph().as_default(), tf1.Session() as session:
        labels = tf.SparseTensor([[0, 0]], [1], [2, 2])
        flat = sequential._flatten_tensor(labels, tf.constant(MASK), 3)
        with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible with provided"):
            session.run(flat)


def test_mask_is_among_the_predictions():
    head = sequential.SequentialHeadWrapper(heads.RegressionHead(name="r"), "mask")
    with tf.Graph().as_default():
        mask = tf.constant(MASK)
        spec = head.create_estimator_spec({"mask": mask}, "infer", tf.zeros([2, 2, 1]))
        assert spec.predictions["mask"] is mask
    assert head.name == "r_sequential"


def test_multi_head_is_not_supported():
    with pytest.raises(ValueError, match="`MultiHead` is not supported"):
        sequential.SequentialHeadWrapper(heads.MultiHead([heads.RegressionHead(name="a")]))
