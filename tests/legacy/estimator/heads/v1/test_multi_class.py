"""Test of labels that v1 heads of classes refuse."""

import pytest
import tensorflow as tf

from legacy.estimator.heads import v1


def test_label_ranges_have_their_own_text():
    with tf.Graph().as_default():
        labels = tf.constant([[3]])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Labels must <= n_classes - 1"):
            v1.multi_class_head(3).create_loss({}, "train", tf.zeros([1, 3]), labels)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"in range \[0, 1\]"):
            v1.logistic_regression_head().create_loss({}, "train", tf.zeros([1, 1]), labels)
