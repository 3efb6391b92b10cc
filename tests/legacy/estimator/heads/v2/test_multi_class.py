"""Tests of `legacy.estimator.heads.v2.multi_class`, which predicts one of three or more classes."""

import pytest
import tensorflow as tf

from legacy.estimator import heads


def test_number_of_classes_as_a_tensor():
    n_classes = tf.constant(3)
    assert heads.MultiClassHead(n_classes).logits_dimension is n_classes
    with pytest.raises(tf.errors.InvalidArgumentError, match="n_classes must be greater than 2"):
        heads.MultiClassHead(tf.constant(2))


def test_two_classes_are_for_another_head():
    with pytest.raises(ValueError, match="n_classes must be > 2: 2"):
        heads.MultiClassHead(2)


def test_text_labels_without_a_vocabulary():
    with pytest.raises(ValueError, match="Labels dtype should be integer.*label_vocabulary"):
        heads.MultiClassHead(3).loss([["a"]], [[0.0, 0.0, 0.0]], {})


def test_numbers_with_a_vocabulary():
    head = heads.MultiClassHead(3, label_vocabulary=["a", "b", "c"])
    with pytest.raises(ValueError, match="Labels dtype should be string if there is a vocab"):
        head.loss([[1]], [[0.0, 0.0, 0.0]], {})


def test_metrics_are_named_after_the_head():
    head = heads.MultiClassHead(3, name="h")
    losses = [tf.constant(1.0)]
    expected = ["average_loss/h", "regularization_loss/h", "accuracy/h"]
    assert list(head.metrics(losses)) == expected
    assert list(head.metrics()) == [expected[0], expected[2]]
