"""Ports programs of the tests."""

import os
import pathlib
import shutil
import subprocess
import sys

from migrate.port import climb, progress, rewriting, runs
from migrate.port.copies import program
from tests.migrate.rewrite import tools
from tests.migrate.same_run import campaign

PORT = [sys.executable, "-m", "migrate", "port"]
ENVIRONMENT = {**os.environ, **tools.ENVIRONMENT}
# A model_fn of one layer, which trains for three steps.
SMALL = """
import numpy as np
import tensorflow as tf

X = np.linspace(-1.0, 1.0, 24, dtype=np.float32).reshape(12, 2)


def model_fn(features, labels, mode):
    x = tf.layers.dense(features["x"], 3, tf.nn.relu)
    predictions = tf.layers.dense(x, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": predictions})
    loss = tf.losses.mean_squared_error(labels, predictions)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices(({"x": X}, X[:, :1] * 2.0))
    return dataset.shuffle(12).batch(4)


estimator = tf.estimator.Estimator(model_fn, MODEL_DIR)
estimator.train(input_fn)
print(estimator.evaluate(input_fn))
"""


def small(folder, model_dir=None):
    """Writes the small program into a folder and returns its path."""
    os.makedirs(folder)
    path = os.path.join(folder, "job.py")
    with open(path, "w") as file:
        file.write(SMALL.replace("MODEL_DIR", repr(model_dir)))
    return path


def copied(name, folder):
    """Copies a program of the campaign into a folder and returns its path."""
    os.makedirs(folder)
    return shutil.copy(campaign.PROGRAMS / f"{name}.py", folder)


def port(cwd, *arguments, timeout=600):
    """Runs the command, and returns its completed process."""
    return subprocess.run(
        [*PORT, *arguments],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def climbed(path, output, keras=2):
    """Climbs in this process, so that a test can plant a defect. Returns ascent and progress."""
    shown = Said()
    one = program.read(str(path), ["python", str(path)])
    return climb.climb(runs.Runs(one, str(output), shown), shown.say, keras), shown.lines


def plant(monkeypatch, name, old, new, to="to_modern"):
    """Lets the rewriter write a defect into a file of each text that a function has rewritten."""
    rewrite = getattr(rewriting, to)

    def altered(folder, *args):
        rewritten = rewrite(folder, *args)
        path = pathlib.Path(folder, name)
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        return rewritten

    monkeypatch.setattr(rewriting, to, altered)


class Said(progress.Progress):
    """Keeps the lines of progress."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def say(self, line):
        """Keeps a line."""
        self.lines.append(line)
