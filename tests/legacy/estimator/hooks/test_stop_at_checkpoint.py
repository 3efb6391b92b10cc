"""Tests that a worker goes on until the chief has saved its last step."""

import pytest
import tensorflow as tf

from legacy.estimator.hooks.stop_at_checkpoint import StopAtCheckpointStepHook

tf1 = tf.compat.v1


def save(folder, step):
    with tf.Graph().as_default(), tf1.Session() as session:
        session.run(tf1.train.create_global_step().assign(step))
        tf1.train.Saver().save(session, f"{folder}/model.ckpt")


@pytest.mark.parametrize(("saved", "stops"), [(None, False), (9, False), (10, True)])
def test_stops_with_the_checkpoint(saved, stops, tmp_path):
    if saved is not None:
        save(tmp_path, saved)
    hook = StopAtCheckpointStepHook(str(tmp_path), 10, wait_after_file_check_secs=0)
    with tf.Graph().as_default():
        reach = tf1.train.create_global_step().assign(10)
        nothing = tf.no_op()
        with tf1.train.SingularMonitoredSession([hook]) as session:
            session.run(nothing)
            assert not session.should_stop()
            session.raw_session().run(reach)
            session.run(nothing)
            assert session.should_stop() == stops


def test_what_is_refused():
    with pytest.raises(ValueError, match="last_step"):
        StopAtCheckpointStepHook("/tmp", None)
    with pytest.raises(ValueError, match="model_dir"):
        StopAtCheckpointStepHook(None, 10)
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="Global step"):
        StopAtCheckpointStepHook("/tmp", 10).begin()
