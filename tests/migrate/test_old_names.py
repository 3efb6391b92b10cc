"""Tests that unmodified old programs see the API that they were written for, such as tf.contrib."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

from migrate import old_names

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = """
    import numpy as np
    import tensorflow as tf

    def input_fn():
        x = np.ones((4, 3), np.float32)
        data = tf.data.Dataset.from_tensor_slices(({"x": x}, x[:, 0]))
        return data.apply(tf.contrib.data.shuffle_and_repeat(4, 1)).batch(2)

    def model_fn(features, labels, mode, params):
        width = features["x"].shape[1].value
        net = tf.layers.dense(features["x"], width, name="hidden")
        out = tf.contrib.layers.fully_connected(net, 1, scope="out", activation_fn=None)
        loss = tf.losses.mean_squared_error(labels, tf.squeeze(out, 1))
        train_op = tf.train.AdamOptimizer(params["rate"]).minimize(
            loss, tf.train.get_or_create_global_step())
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, train_op=train_op, eval_metric_ops={"mean": tf.metrics.mean(out)})
"""


def test_keras_trains_one(tmp_path):
    (tmp_path / "old_job.py").write_text(textwrap.dedent(PROGRAM))
    flags = ("--model_fn=old_job:model_fn", "--input_fn=old_job:input_fn", "--train_steps=3")
    done = subprocess.run(
        [sys.executable, "-m", "migrate", "train", *flags, '--model_params={"rate": 0.1}',
         f"--model_dir={tmp_path}/model"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )  # fmt: skip
    result = json.loads((tmp_path / "model" / "result.json").read_text())
    assert result["steps"] == 3
    assert set(result["eval"]) == {"loss", "mean"}
    # The model_fn fails in PREDICT mode, so nothing is exported.
    assert result["export"] is None
    assert "Nothing is exported (--noexport asks for nothing): in mode 'infer'" in done.stderr


@pytest.mark.parametrize(
    ("text", "api"),
    [
        (PROGRAM, "v1"),
        ("import tensorflow as tf\ntf.estimator.Estimator", "v2"),
        ("import tensorflow.compat.v1 as tf\ntf.layers.dense", None),
        ("import tensorflow as tf\ntf.cast", None),
        ("print 'Python 2'", None),
    ],
)
def test_which_tensorflow_a_program_needs(tmp_path, monkeypatch, text, api):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a_program.py").write_text(textwrap.dedent(text))
    assert old_names.api_of("a_program:model_fn") == api
