"""Tests of summaries that operations of the graph write."""

import pytest
import tensorflow as tf

from legacy.contrib import summary

tf1 = tf.compat.v1


def written(folder):
    """Returns the steps and values of an event file."""
    (path,) = folder.iterdir()
    return [
        (event.step, value.tag, value.simple_value)
        for event in tf1.train.summary_iterator(str(path))
        for value in event.summary.value
    ]


def test_every_second_step_is_written(session, tmp_path):
    step = tf1.train.create_global_step()
    with (
        summary.create_file_writer(str(tmp_path)).as_default(),
        summary.record_summaries_every_n_global_steps(2),
    ):
        summary.scalar("double", 2.0 * tf.cast(step, tf.float32), family="mine")
        recording = summary.should_record_summaries()
        flush = summary.flush()
    session.run(tf1.global_variables_initializer())
    summary.initialize(session=session)
    recorded = []
    for _ in range(4):
        recorded.append(bool(session.run([recording, summary.all_summary_ops()])[0]))
        session.run(tf1.assign_add(step, 1))
    session.run(flush)
    assert recorded == [True, False, True, False]
    assert written(tmp_path) == [(0, "mine/mine/double", 0.0), (2, "mine/mine/double", 4.0)]


@pytest.mark.usefixtures("session")
def test_nothing_is_recorded_by_default():
    assert summary.should_record_summaries() is False
    with summary.always_record_summaries():
        assert summary.should_record_summaries() is True
        with summary.never_record_summaries():
            assert summary.scalar("x", 1.0).type == "NoOp"
    assert summary.all_summary_ops() == []


def test_a_writer_needs_a_session():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="`session` must be passed"):
        summary.initialize()
    assert summary.eval_dir("/m", "mine") == "/m/eval_mine"
