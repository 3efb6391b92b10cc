"""Trains sparse_embeddings on the real tf.estimator, for a Python that has TensorFlow 2.15.

    TF_CONFIG=... PYTHON benchmarks/baselines/original_sparse.py MODEL_DIR OUTPUT_JSON [STEPS]

It is the baseline of this job: `python -m legacy.run` runs the same file, and the bridge trains its
`model_fn`. The chief writes the steady throughput of all trainers, computed from the global step.
It does not use this toolkit.
"""

import json
import sys
import time
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import estimator as tf_estimator

BATCH_SIZE = 512
WARMUP_STEPS = 100
COLUMNS = [f"id_{index:02}" for index in range(26)]
HASH_BUCKETS, EMBEDDING_SIZE = 100_000, 16


def input_fn() -> tf.data.Dataset:
    """Returns repeated, shuffled batches of ids that follow Zipf's law, and of labels."""
    rng = np.random.RandomState(0)
    ids = np.minimum(rng.zipf(1.2, [65_536, len(COLUMNS)]), 10_000_000).astype(np.int64)
    features = {name: ids[:, index] for index, name in enumerate(COLUMNS)}
    labels = rng.randint(0, 2, [len(ids), 1]).astype(np.float32)
    slices = tf.data.Dataset.from_tensor_slices((features, labels))
    return slices.shuffle(len(labels)).repeat().batch(BATCH_SIZE).prefetch(4)


def eval_input_fn() -> tf.data.Dataset:
    """Returns a few batches of the same data."""
    return input_fn().take(2)


def model_fn(features: Any, labels: Any, mode: str, config: Any) -> tf_estimator.EstimatorSpec:
    """Returns the spec of the job in `legacy/jobs/sparse_embeddings.py`."""
    column = tf.feature_column
    columns = [
        column.embedding_column(
            column.categorical_column_with_hash_bucket(name, HASH_BUCKETS, tf.int64),
            EMBEDDING_SIZE,
        )
        for name in COLUMNS
    ]
    partitioner = tf.min_max_variable_partitioner(
        max(1, config.num_ps_replicas), min_slice_size=256 << 10
    )
    with tf.variable_scope(tf.get_variable_scope(), partitioner=partitioner):
        x = tf.feature_column.input_layer(features, columns)
    x = tf.layers.dense(x, 64, tf.nn.relu, name="hidden")
    logits = tf.layers.dense(x, 1, name="logits")
    if mode == "infer":
        return tf_estimator.EstimatorSpec(mode, predictions={"logits": logits})
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    optimizer = tf.train.AdagradOptimizer(0.1)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class StepTimes(tf.train.SessionRunHook):
    """Records the times of the first step after the warm-up and of the last step."""

    def __init__(self) -> None:
        self.points: list[tuple[float, int]] = []

    def before_run(self, run_context: Any) -> tf.train.SessionRunArgs:
        """Requests the global step, as most hooks of the time did."""
        return tf.train.SessionRunArgs(tf.train.get_global_step())

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stores the first point after the warm-up and the last one."""
        if run_values.results >= WARMUP_STEPS:
            self.points[1:] = [(time.time(), int(run_values.results))]


def main(model_dir: str, output: str, steps: str = "700") -> None:
    """Trains as this task."""
    config = tf_estimator.RunConfig(
        model_dir,
        save_checkpoints_secs=None,
        save_checkpoints_steps=10**9,
        save_summary_steps=10**9,
    )
    times = StepTimes()
    estimator = tf_estimator.Estimator(model_fn, config=config)
    tf_estimator.train_and_evaluate(
        estimator,
        tf_estimator.TrainSpec(input_fn, max_steps=int(steps), hooks=[times]),
        tf_estimator.EvalSpec(eval_input_fn),
    )
    if config.is_chief:
        (start, first), (end, last) = times.points
        with open(output, "w") as file:
            json.dump({"examples_per_second": (last - first) * BATCH_SIZE / (end - start)}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
