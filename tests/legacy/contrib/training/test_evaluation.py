"""Tests of waiting for checkpoints with a timeout. The oracle compares the evaluation loops."""

import datetime

import pytest
import tensorflow as tf

from legacy.contrib import training

tf1 = tf.compat.v1


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.get_variable("v", initializer=1.0)
        tf1.train.get_or_create_global_step()
        session.run(tf1.global_variables_initializer())
        return tf1.train.Saver().save(session, str(tmp_path / "model"), global_step=1)


def test_waiting_ends(tmp_path, checkpoint):
    folder = str(tmp_path)
    assert training.wait_for_new_checkpoint(folder) == checkpoint
    late = training.wait_for_new_checkpoint(folder, checkpoint, seconds_to_sleep=0.01, timeout=0.02)
    assert late is None
    assert list(training.checkpoints_iterator(folder, timeout=0)) == [checkpoint]


def test_the_users_hooks_and_operations_are_left_as_they_were(tmp_path, checkpoint):
    with tf.Graph().as_default():
        value = tf1.get_variable("v", initializer=0.0)
        tf1.train.get_or_create_global_step()
        hooks = [training.StopAfterNEvalsHook(2, log_progress=False)]
        ops = {"v": value}
        final = training.evaluate_repeatedly(
            str(tmp_path),
            eval_ops=ops,
            final_ops=value,
            hooks=hooks,
            max_number_of_evaluations=1,
        )
    assert (final, len(hooks), list(ops)) == (1.0, 1, ["v"])


def test_the_log_has_the_local_time(checkpoint, caplog):
    caplog.set_level("INFO", "tensorflow")
    with tf.Graph().as_default():
        tf1.get_variable("v", initializer=0.0)
        training.evaluate_once(checkpoint)
    (line,) = [one for one in caplog.messages if one.startswith("Starting evaluation at ")]
    when = datetime.datetime.fromisoformat(line.removeprefix("Starting evaluation at "))
    assert when.tzinfo is None  # The suffix Z would say UTC.


def test_several_counters_are_an_error():
    with tf.Graph().as_default():
        step = training.get_or_create_eval_step()
        assert training.get_or_create_eval_step() is step
        tf1.add_to_collection(tf1.GraphKeys.EVAL_STEP, step)
        with pytest.raises(ValueError, match="Multiple eval_step"):
            training.get_or_create_eval_step()
