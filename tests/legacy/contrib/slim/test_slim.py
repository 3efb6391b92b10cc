"""Test of contrib.layers modules that networks use through slim."""

import tensorflow as tf

from legacy.contrib import slim

tf1 = tf.compat.v1


def test_utils_give_the_end_points_of_a_network():
    with tf.Graph().as_default():
        outputs = slim.conv2d(
            tf1.ones([1, 4, 4, 1]),
            2,
            [3, 3],
            scope="conv",
            outputs_collections="net_end_points",
            weights_regularizer=slim.regularizers.l2_regularizer(0.1),
        )
        end_points = slim.utils.convert_collection_to_dict("net_end_points")
    assert list(end_points) == ["conv"]
    assert end_points["conv"] is outputs
