"""Sessions that run hooks around steps that do nothing."""

import tensorflow as tf

tf1 = tf.compat.v1


def run(hooks, steps):
    """Runs at most `steps` steps that do nothing, and returns the number of steps."""
    tf1.train.get_or_create_global_step()
    nothing = tf.no_op()
    with tf1.train.SingularMonitoredSession(hooks) as session:
        for done in range(steps):
            if session.should_stop():
                return done
            session.run(nothing)
    return steps
