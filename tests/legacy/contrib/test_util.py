"""Test of tensors as protocol buffers."""

import tensorflow as tf

from legacy.contrib import util


def test_tensors_as_protocol_buffers():
    proto = util.make_tensor_proto([1.0, 2.0])
    assert util.make_ndarray(proto).tolist() == [1.0, 2.0]
    with tf.Graph().as_default():
        assert util.constant_value(tf.constant(3)) == 3
