"""Tests that programs with sessions print the same after Keras has replaced their Estimators."""

import os
import subprocess
import sys

import pytest

from migrate.rewrite import rules
from migrate.rewrite.program import run
from tests.migrate.rewrite import tools

TOOLS = """\
import tensorflow as tf


def count(path):
    with tf.python_io.TFRecordWriter(path) as writer:
        for word in ["a", "b"]:
            writer.write(word.encode())
    queue = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
    _, record = tf.TFRecordReader().read(queue)
    words = []
    with tf.train.MonitoredTrainingSession() as session:
        while not session.should_stop():
            words.append(session.run(record))
    return words


def smaller(path):
    tf.reset_default_graph()
    kept = tf.get_variable("kept", initializer=3.0)
    tf.get_variable("lost", initializer=4.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)
    return filtered(path)


def filtered(path):
    tf.reset_default_graph()
    session = tf.Session()
    saver = tf.train.import_meta_graph(path + ".meta")
    saver.restore(session, path)
    kept = [variable for variable in tf.global_variables() if "kept" in variable.name]
    return [(variable.op.name, float(session.run(variable))) for variable in kept]
"""
JOB = """\
import numpy as np
import tensorflow as tf

import tools


def model_fn(features, labels, mode):
    logits = tf.layers.dense(features["x"], 1, kernel_initializer=tf.zeros_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": logits})
    loss = tf.losses.mean_squared_error(labels, logits)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    data = {"x": np.ones([8, 3], np.float32)}, np.ones([8, 1], np.float32)
    return tf.data.Dataset.from_tensor_slices(data).batch(4)


def batch():
    features, labels = input_fn().make_one_shot_iterator().get_next()
    width = features["x"].get_shape()[1].value
    step = tf.while_loop(lambda step: step < 5, lambda step: step + 1, [0])
    scale = tf.cond(step > 3, lambda: tf.constant(2.0), lambda: tf.constant(1.0))
    session = tf.InteractiveSession()
    result = float(tf.reduce_sum(features["x"] * scale).eval()), width
    session.close()
    return result


def main():
    print("row", batch())
    job = tf.estimator.Estimator(model_fn, "model")
    job.train(input_fn)
    total = tf.reduce_sum(tf.constant([1, 2, 3]))
    with tf.Session() as session:
        print("row", session.run(total))
    signs = [float(row["out"][0]) > 0 for row in job.predict(input_fn)]
    with tf.Session() as session:
        matrix = tf.confusion_matrix([1] * len(signs), signs, num_classes=2)
        print("row", session.run(matrix).tolist())
    print("row", round(float(job.evaluate(input_fn)["loss"]), 4))
    print("row", tools.count("words.tfrecord"), tools.smaller("./small"))


main()
"""


def _rows(folder, *command):
    done = subprocess.run(
        [sys.executable, *command, "job.py"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **tools.ENVIRONMENT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("row")]


@pytest.mark.slow
def test_sessions_run_as_before_next_to_a_keras_model(tmp_path):
    folders = before, after = tmp_path / "before", tmp_path / "after"
    for folder in folders:
        folder.mkdir()
        (folder / "job.py").write_text(JOB)
        (folder / "tools.py").write_text(TOOLS)
    for to in ("legacy", "modern"):
        for result in run.results([str(after)], rules.all_rules(to), unsafe=to == "modern"):
            (after / os.path.basename(result.path)).write_text(result.text)
    text = "".join((after / name).read_text() for name in ("job.py", "tools.py"))
    assert text.count("Graph().as_default():") == 5
    assert "job.fit(" in text
    assert "disable_v2" not in text
    assert _rows(after) == _rows(before, "-m", "legacy.run")
