"""Tests that examples per second equal steps per second times the batch size."""

import tensorflow as tf

from legacy.estimator.tpu.hooks import ExamplesPerSecondHook

tf1 = tf.compat.v1


def rates(folder, batch_size):
    with tf.Graph().as_default():
        step = tf1.train.create_global_step().assign_add(1)
        hook = ExamplesPerSecondHook(batch_size, every_n_steps=2, output_dir=str(folder))
        with tf1.train.SingularMonitoredSession([hook]) as session:
            for _ in range(4):
                session.run(step)
    tf1.summary.FileWriterCache.clear()
    found = {}
    for path in folder.iterdir():
        for event in tf1.train.summary_iterator(str(path)):
            found.update({value.tag: value.simple_value for value in event.summary.value})
    return found


def test_rates(tmp_path):
    found = rates(tmp_path / "8", 8)
    assert sorted(found) == ["examples/sec", "global_step/sec"]
    assert abs(found["examples/sec"] / found["global_step/sec"] - 8) < 1e-5
    assert sorted(rates(tmp_path / "none", None)) == ["global_step/sec"]
