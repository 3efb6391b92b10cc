"""Tests of serving input functions."""

import tensorflow as tf

from legacy.contrib.learn.inputs import input_fn_utils


def test_examples_are_parsed(session):
    spec = {"x": tf.io.FixedLenFeature([2], tf.float32)}
    ops = input_fn_utils.build_parsing_serving_input_fn(spec)()
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend([1.0, 2.0])
    feed = {ops.default_inputs["examples"]: [example.SerializeToString()]}
    assert session.run(ops.features["x"], feed).tolist() == [[1.0, 2.0]]
    assert ops.labels is None


def test_features_are_their_own_inputs():
    with tf.Graph().as_default():
        features = {"x": tf.zeros([4, 3], tf.int32, name="mine")}
    with tf.Graph().as_default():
        ops = input_fn_utils.build_default_serving_input_fn(features, 7)()
    assert ops.features is ops.default_inputs
    x = ops.features["x"]
    assert (x.shape.as_list(), x.dtype, x.op.name) == ([7, 3], tf.int32, "mine")
