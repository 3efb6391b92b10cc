"""Test of a hook that stops a training after some seconds."""

import tensorflow as tf

from legacy.estimator.hooks.stop_at_secs import StopAtSecsHook

tf1 = tf.compat.v1


def test_stop_after_some_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    hook = StopAtSecsHook(10)
    with tf.Graph().as_default():
        nothing = tf.no_op()
        with tf1.train.SingularMonitoredSession([hook]) as session:
            for now[0] in (5.0, 9.9, 10.0):
                assert not session.should_stop()
                session.run(nothing)
            assert session.should_stop()
