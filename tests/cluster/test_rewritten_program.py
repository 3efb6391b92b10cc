"""Test of a TensorFlow 1 program that the command rewrites to Keras, on two workers and alone."""

import os
import subprocess
import sys

import pytest

from migrate.__main__ import main
from modern.records import summaries
from tests.cluster import trainings

pytestmark = pytest.mark.cluster
STEPS = 12
# Each task reads the same data and nothing is random, so the mean gradient equals that of one task.
PROGRAM = f"""\
import numpy as np
import tensorflow as tf
tf.app.flags.DEFINE_string("model_dir", None, "Where.")
FLAGS = tf.app.flags.FLAGS
def input_fn(count=None):
    random = np.random.RandomState(0)
    x = random.rand(64, 8).astype(np.float32)
    labels = (x.sum(axis=1) > 4).astype(np.int32)
    data = tf.data.Dataset.from_tensor_slices(({{"x": x}}, {{"class": labels, "sum": x[:, :1]}}))
    return data.repeat(count).batch(16)
def dense(inputs, units, seed):
    return tf.layers.dense(
        inputs, units, kernel_initializer=tf.glorot_uniform_initializer(seed=seed),
        kernel_regularizer=tf.contrib.layers.l2_regularizer(0.01))
def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    net = tf.nn.relu(dense(features["x"], params["hidden"], 1))
    net = tf.layers.batch_normalization(net, momentum=0.9, training=training)
    logits, total = dense(net, 2, 2), dense(net, 1, 3)
    classes = tf.argmax(logits, axis=1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={{"classes": classes}})
    loss = tf.losses.sparse_softmax_cross_entropy(labels["class"], logits)
    loss += tf.losses.mean_squared_error(labels["sum"], total)
    loss += tf.losses.huber_loss(labels["sum"], total, delta=0.5)
    loss += tf.losses.get_regularization_loss()
    metrics = {{
        "accuracy": tf.metrics.accuracy(labels["class"], classes),
        "off": tf.metrics.mean_absolute_error(labels["sum"], total),
    }}
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    step = tf.train.get_global_step()
    optimizer = tf.train.MomentumOptimizer(tf.train.exponential_decay(0.1, step, 5, 0.5), 0.9)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = optimizer.minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
def main(_):
    config = tf.estimator.RunConfig(model_dir=FLAGS.model_dir, save_checkpoints_steps=6)
    estimator = tf.estimator.Estimator(model_fn, config=config, params={{"hidden": 5}})
    tf.estimator.train_and_evaluate(
        estimator, tf.estimator.TrainSpec(input_fn, max_steps={STEPS}),
        tf.estimator.EvalSpec(
            lambda: input_fn(1), steps=None, start_delay_secs=0, throttle_secs=0))
if __name__ == "__main__":
    tf.app.run(main)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("program") / "train.py"
    path.write_text(PROGRAM)
    assert main(["rewrite", "--to=legacy", "--write", str(path)]) == 0
    assert main(["rewrite", "--to=modern", "--unsafe", "--write", str(path)]) == 0
    text = path.read_text()
    assert "class Model(tf_keras.Model)" in text
    assert "estimator." not in text.replace("estimator.compile", "").replace("estimator.make", "")
    return path


def evaluated(model_dir):
    """Returns the metrics of the last step."""
    return summaries.read(str(model_dir / "eval"))[STEPS]


def test_it_trains_with_synchronous_workers_as_alone(program, tmp_path):
    command = [sys.executable, str(program)]
    synchronous = trainings.local.LocalCluster(
        [*command, f"--model_dir={tmp_path / 'synchronous'}"],
        log_dir=tmp_path / "logs", env=trainings.ENV, evaluator=True, workers=2,
    )  # fmt: skip
    trainings.to_the_end(synchronous)
    subprocess.run(
        [*command, f"--model_dir={tmp_path / 'alone'}"],
        env=os.environ | trainings.ENV,
        check=True,
        timeout=120,
        capture_output=True,
    )
    alone = evaluated(tmp_path / "alone")
    assert {"loss", "accuracy", "off"} <= set(alone)
    assert evaluated(tmp_path / "synchronous") == pytest.approx(alone, rel=1e-4)
