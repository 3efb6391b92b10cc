"""Test of the sizes of a variable's parts."""

import tensorflow as tf

from legacy.compat.v1 import estimator
from tests.legacy.estimator.canned import models

tf1 = tf.compat.v1


def test_layers_are_cut_for_the_parameter_servers():
    from legacy.estimator.canned.v1.dnn import dnn_model_fn

    class Config:
        num_ps_replicas = 2

    head = estimator.RegressionHead()
    with tf.Graph().as_default():
        features = {"x": tf.ones([4, 2])}
        # 2 x 65536 floats are 512 KiB, so there are two slices of 256 KiB.
        dnn_model_fn(features, None, "infer", head, [1 << 16], [models.number()], config=Config())
        names = [v.name for v in tf1.global_variables() if "hiddenlayer_0/kernel" in v.name]
    assert names == [f"dnn/hiddenlayer_0/kernel/part_{i}:0" for i in range(2)]
