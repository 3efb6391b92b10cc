"""Test of the summaries of canned models."""

import pytest
import tensorflow as tf

from legacy.estimator.canned import layer_summaries

tf1 = tf.compat.v1


def test_fraction_of_zeros():
    with tf.Graph().as_default():
        variables = [tf.constant([[0.0, 1.0]]), [tf.constant([0.0, 0.0, 3.0]), tf.zeros([0, 2])]]
        with tf1.Session() as session:
            assert session.run(layer_summaries.fraction_of_zeros(variables)) == pytest.approx(0.6)
