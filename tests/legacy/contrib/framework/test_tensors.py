"""Tests of checks of tensors."""

import pytest
import tensorflow as tf

from legacy.contrib.framework import tensors

tf1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_a_shape_that_is_known_is_checked_at_once():
    tensor = tf.zeros([2, 3])
    assert tensors.with_shape([None, 3], tensor) is tensor
    with pytest.raises(ValueError, match=r"expected \[3, 3\], got \(2, 3\)"):
        tensors.with_shape([3, 3], tensor)


def test_a_shape_that_is_not_known_is_checked_when_it_is_computed():
    fed = tf1.placeholder(tf.float32)
    checked = tensors.with_shape([None, 3], fed)
    assert checked.shape.as_list() == [None, 3]
    with tf1.Session() as session:
        session.run(checked, {fed: [[1, 2, 3]]})
        for wrong in ([[1, 2]], [1, 2, 3]):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Wrong shape"):
                session.run(checked, {fed: wrong})


def test_of_ranks_that_are_not_known_the_longer_loses_its_last_dimension():
    predictions, labels = tf1.placeholder(tf.float32), tf1.placeholder(tf.int32)
    squeezed = tensors.remove_squeezable_dimensions(predictions, labels)
    with tf1.Session() as session:
        found = session.run(squeezed, {predictions: [[1.0], [2.0]], labels: [3, 4]})
        assert found[0].tolist() == [1.0, 2.0]
        found = session.run(squeezed, {predictions: [1.0], labels: [[3]]})
        assert found[1].tolist() == [3]


def test_names_in_scopes():
    assert tensors.prepend_name_scope("^a", "b") == "^b/a"
    assert tensors.prepend_name_scope("a", "") == "a"
    assert tensors.strip_name_scope("loc:@b/a", "b") == "loc:@a"
    assert tensors.strip_name_scope("ab/a", "b") == "ab/a"
