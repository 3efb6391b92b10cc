"""Test of an optimizer for TPUs on a CPU."""

import pytest
import tensorflow as tf

from legacy.estimator.tpu.cross_shard_optimizer import CrossShardOptimizer

tf1 = tf.compat.v1


def test_cross_shard_optimizer_changes_nothing():
    def train(wrap):
        with tf.Graph().as_default():
            weight = tf1.get_variable("w", initializer=[1.0, 2.0])
            optimizer = wrap(tf1.train.MomentumOptimizer(0.1, 0.9))
            step = optimizer.minimize(tf.reduce_sum(weight**2))
            with tf1.Session() as session:
                session.run(tf1.global_variables_initializer())
                session.run(step)
                names = sorted(v.name for v in tf1.global_variables())
                return names, session.run(weight).tolist(), optimizer.get_slot_names()

    assert train(CrossShardOptimizer) == train(lambda optimizer: optimizer)
    with pytest.raises(TypeError):
        CrossShardOptimizer(0.1)
