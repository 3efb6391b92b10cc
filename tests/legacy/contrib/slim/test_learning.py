"""Test of slim.learning.train that the oracle does not cover."""

import tensorflow as tf

from legacy.contrib import slim

tf1 = tf.compat.v1


def test_training_goes_on_from_a_checkpoint_and_traces(tmp_path):
    for steps in (2, 5):
        with tf.Graph().as_default():
            weight = tf1.get_variable("weight", initializer=1.0)
            loss = tf.square(weight)
            op = slim.learning.create_train_op(loss, tf1.train.GradientDescentOptimizer(0.1))
            tf1.summary.scalar("loss", loss)
            # The Supervisor's threads need v1 behavior, so this training must not start them.
            last = slim.learning.train(
                op,
                str(tmp_path),
                number_of_steps=steps,
                trace_every_n_steps=2,
                save_summaries_secs=0,
                save_interval_secs=0,
            )
    # The loss before the fifth step. Each step subtracts a fifth of the weight.
    assert abs(last - 0.8 ** (2 * 4)) < 1e-5
    events = tf1.train.summary_iterator(str(next(tmp_path.glob("events*"))))
    assert any(event.HasField("tagged_run_metadata") for event in events)
