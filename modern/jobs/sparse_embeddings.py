"""Embeddings of 26 hashed columns, the job that parameter servers are for.

    python -m modern.train --flagfile=modern/jobs/sparse_embeddings.flags

The tables have 42 million weights (166 MB), and Adagrad keeps as many sums of squares. A batch of
512 examples reads and updates at most 13,312 of the 2.6 million rows. So the gradients of tables
must stay sparse, as `tf.IndexedSlices`. Under ParameterServerStrategy the tables are on the
parameter servers, and only rows travel.
"""

from __future__ import annotations

from collections.abc import Mapping

import tensorflow as tf

from modern import data
from modern.data import impressions, pipeline
from modern.layers import embedding
from modern.optimizers import chosen
from modern.process.chosen_keras import keras

DATASETS = ("impressions",)
BATCH_SIZE = 512
LEARNING_RATE = 0.1

HASH_BUCKETS = 100_000
EMBEDDING_SIZE = 16
HIDDEN_UNITS = 64


def load_data(dataset: str, data_dir: str | None = None, seed: int = 0) -> data.ArrayDataset:
    """Returns columns of ids (N,) int64 and labels (N, 1) float32, in two splits."""
    return data.load_ids(dataset, data_dir, seed=seed)


def train_input_fn(
    arrays: data.ArrayDataset,
    batch_size: int,
    seed: int,
    trainers: int = 1,
    trainer: int = 0,
    first_step: int = 0,
) -> tf.data.Dataset:
    """Returns endless shuffled batches for one of `trainers` trainers."""
    return pipeline.train_batches(
        arrays.train_features,
        arrays.train_labels,
        batch_size,
        seed,
        trainers,
        trainer,
        first_step=first_step,
    )


def eval_input_fn(arrays: data.ArrayDataset, batch_size: int) -> tf.data.Dataset:
    """Returns the test examples once, in order."""
    return pipeline.eval_batches(arrays.test_features, arrays.test_labels, batch_size)


def build_features(columns: Mapping[str, tf.Tensor]) -> dict[str, tf.Tensor]:
    """Returns the bucket of each id (batch,) int64, by column.

    This is the part of the model without weights, which only TensorFlow can compute.
    """
    return {name: keras.layers.Hashing(HASH_BUCKETS)(ids) for name, ids in columns.items()}


def build_logits(features: Mapping[str, tf.Tensor]) -> tf.Tensor:
    """Returns logits (batch, 1) for the buckets of ids (batch,) int64."""
    layers = keras.layers
    rows = []
    for name, buckets in features.items():
        # Each table needs its own initializer. One that is used twice gives the same numbers.
        start = keras.initializers.TruncatedNormal(stddev=EMBEDDING_SIZE**-0.5)
        table = embedding.Embedding(HASH_BUCKETS, EMBEDDING_SIZE, start, name=name + "_embedding")
        rows.append(table(buckets))
    x = layers.Concatenate()(rows)
    x = layers.Dense(HIDDEN_UNITS, "relu", name="hidden")(x)
    return layers.Dense(1, name="logits")(x)


def build_model() -> keras.Model:
    """Returns a model from columns of ids (batch,) int64 to logits (batch, 1)."""
    inputs = {name: keras.Input((), name=name, dtype="int64") for name in impressions.COLUMNS}
    return keras.Model(inputs, build_logits(build_features(inputs)))


def make_loss() -> keras.losses.Loss:
    """Returns the binary cross-entropy from logits, averaged over the batch."""
    return keras.losses.BinaryCrossentropy(from_logits=True)


def make_metrics() -> list[keras.metrics.Metric]:
    """Returns the metrics that evaluation reports in addition to the loss."""
    return [
        keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0),
        keras.metrics.AUC(name="auc", from_logits=True),
    ]


def make_learning_rate(base: float) -> float:
    """Returns a constant learning rate."""
    return base


def make_optimizer(
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
) -> chosen.Optimizer:
    """Returns Adagrad, which updates only the rows of a table that have a gradient."""
    return chosen.Adagrad(learning_rate)
