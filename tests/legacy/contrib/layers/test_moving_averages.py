"""Test of moving averages under a strategy."""

import tensorflow as tf

from legacy.contrib.layers.moving_averages import assign_moving_average

tf1 = tf.compat.v1


def test_a_strategy_averages_over_replicas():
    with tf.Graph().as_default(), tf1.Session() as session:
        strategy = tf.distribute.MirroredStrategy(["cpu:0"])
        with strategy.scope():
            average = tf1.get_variable("average", initializer=1.0, trainable=False)

        def step():
            return assign_moving_average(average, tf.constant(3.0), decay=0.5)

        update = strategy.experimental_local_results(strategy.run(step))
        session.run(tf1.global_variables_initializer())
        session.run(update)
        assert session.run(strategy.experimental_local_results(average)) == (2.0,)
