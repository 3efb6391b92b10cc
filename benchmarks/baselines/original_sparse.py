"""Trains sparse_embeddings on the real tf.estimator, for a Python that has TensorFlow 2.15.

    TF_CONFIG=... PYTHON benchmarks/baselines/original_sparse.py MODEL_DIR OUTPUT_JSON [STEPS]

It is the baseline of this job: `python -m legacy.run` runs the same file, and the bridge trains its
`model_fn`. It does not use this toolkit.
"""

import sys
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import estimator as tf_estimator

BATCH_SIZE = 512
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


if __name__ == "__main__":
    import original_times

    model_dir, output, *steps = sys.argv[1:]
    original_times.train(
        *(model_fn, input_fn, BATCH_SIZE, model_dir, output, 100, int((steps or ["700"])[0]))
    )
