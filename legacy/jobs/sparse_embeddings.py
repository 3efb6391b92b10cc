"""Embeddings of hashed columns, as a model_fn. Read it next to `modern/jobs/sparse_embeddings.py`.

python -m legacy.train --flagfile=legacy/jobs/sparse_embeddings.flags
"""

from __future__ import annotations

from typing import Any

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from modern.data.impressions import COLUMNS

# Input functions carry over unchanged, in both directions.
from modern.jobs.sparse_embeddings import (  # noqa: F401
    BATCH_SIZE,
    DATASETS,
    EMBEDDING_SIZE,
    HASH_BUCKETS,
    HIDDEN_UNITS,
    LEARNING_RATE,
    eval_input_fn,
    load_data,
    train_input_fn,
)

# The smallest shard of a table on a parameter server, as in TensorFlow's current guide.
MIN_SHARD_BYTES = 256 << 10


def build_model(ids: dict[str, tf.Tensor], config: Any) -> tf.Tensor:
    """Returns logits (batch, 1) for columns of ids (batch,) int64."""
    column = tf.feature_column
    columns = [
        column.embedding_column(
            column.categorical_column_with_hash_bucket(name, HASH_BUCKETS, tf.int64),
            EMBEDDING_SIZE,
        )
        for name in COLUMNS
    ]
    partitioner = tf.min_max_variable_partitioner(
        max(1, config.num_ps_replicas), min_slice_size=MIN_SHARD_BYTES
    )
    with tf.variable_scope(tf.get_variable_scope(), partitioner=partitioner):
        x = tf.feature_column.input_layer(ids, columns)
    x = tf.layers.dense(x, HIDDEN_UNITS, tf.nn.relu, name="hidden")
    return tf.layers.dense(x, 1, name="logits")


def model_fn(
    features: dict[str, tf.Tensor],
    labels: tf.Tensor | None,
    mode: str,
    params: dict[str, Any],
    config: Any,
) -> tf_estimator.EstimatorSpec:
    """Returns the spec for one mode. `params` has "learning_rate"."""
    logits = build_model(features, config)
    if mode == tf_estimator.ModeKeys.PREDICT:
        outputs = {"serving_default": tf_estimator.export.PredictOutput({"logits": logits})}
        return tf_estimator.EstimatorSpec(
            mode, predictions={"logits": logits}, export_outputs=outputs
        )
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {
            "accuracy": tf.metrics.accuracy(labels, tf.cast(logits > 0.0, tf.float32)),
            "auc": tf.metrics.auc(labels, tf.sigmoid(logits)),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf.train.AdagradOptimizer(params["learning_rate"])
    train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn() -> tf_estimator.export.ServingInputReceiver:
    """Returns the input of the exported model: columns of ids (batch,) int64."""
    ids = {name: tf.placeholder(tf.int64, [None], name=name) for name in COLUMNS}
    return tf_estimator.export.ServingInputReceiver(ids, ids)


def _weight_names() -> dict[str, str]:
    names = {
        f"input_layer/{name}_embedding/embedding_weights": f"{name}_embedding/embeddings"
        for name in COLUMNS
    }
    for layer in ("hidden", "logits"):
        names |= {f"{layer}/{part}": f"{layer}/{part}" for part in ("kernel", "bias")}
    return names


# Name in `modern/jobs/sparse_embeddings.py` of each variable here.
WEIGHT_NAMES = _weight_names()
