"""Tests that the rewriter reports evaluations that no longer log their results."""

import pytest

from tests.migrate.rewrite import old_job

LEVEL = "tf.logging.set_verbosity(tf.logging.INFO)\n"
PROGRAM = """\
import tensorflow.compat.v1 as tf
from legacy import estimator as e
{}def model_fn(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return e.EstimatorSpec(mode, loss=loss, train_op=train_op)
def input_fn():
    return tf.data.Dataset.from_tensors(([[1.0]], [[1.0]]))
job = e.Estimator(model_fn, "job")
job.train(input_fn)
{}
"""


@pytest.mark.parametrize(
    ("level", "last", "lines"),
    [
        (LEVEL, "print(job.evaluate(input_fn))", [12]),
        ("", "print(job.evaluate(input_fn))", []),  # The Estimator logged nothing either.
        (LEVEL, "print(job.model_dir)", []),
    ],
)
def test_an_evaluation_that_logs_less_is_reported(level, last, lines, tmp_path, capsys):
    path = tmp_path / "job.py"
    path.write_text(PROGRAM.format(level, last))
    assert old_job.rewrite("--to=modern", "--unsafe", path) == 0
    captured = capsys.readouterr()
    assert ".callbacks(job)" in captured.out
    found = [line for line in captured.err.splitlines() if ": log: " in line]
    assert [int(line.removeprefix(f"{path}:").partition(":")[0]) for line in found] == lines
