"""Tests of losses and their weights."""

import pytest
import tensorflow as tf

from legacy.contrib import losses

tf1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_what_has_no_weight_is_not_counted():
    predictions, labels = tf.constant([[1.0, 3.0], [5.0, 5.0]]), tf.zeros([2, 2])
    loss = losses.absolute_difference(predictions, labels, weights=[1.0, 0.0])
    with tf1.Session() as session:
        assert session.run(loss) == 2.0
    assert losses.get_losses() == [loss]


def test_a_loss_on_weights_is_part_of_the_total():
    losses.add_loss(tf.constant(1.0))
    tf1.add_to_collection(tf1.GraphKeys.REGULARIZATION_LOSSES, tf.constant(2.0))
    with tf1.Session() as session:
        assert session.run(losses.get_total_loss()) == 3.0
        assert session.run(losses.get_total_loss(add_regularization_losses=False)) == 1.0


def test_an_axis_has_one_name():
    with pytest.raises(ValueError, match="Cannot specify both 'axis' and 'dim'"):
        losses.cosine_distance(tf.zeros([1, 2]), tf.zeros([1, 2]), axis=1, dim=1)
