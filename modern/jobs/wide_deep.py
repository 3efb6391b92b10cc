"""A linear model over crosses plus a deep model over embeddings, typical for parameter servers.

    python -m modern.train --flagfile=modern/jobs/wide_deep.flags

The recipe of Cheng et al. (2016) on Adult's columns: numbers, buckets, vocabularies, hashed ids and
their crosses. Ftrl trains the wide part and Adagrad the deep part. Nearly all of its 0.6 million
parameters are in tables, and a step updates only a few rows of them. Under ParameterServerStrategy
tables are split over the parameter servers.
"""

from __future__ import annotations

from collections.abc import Mapping

import tensorflow as tf

from modern import data
from modern.data import adult, pipeline
from modern.layers import crossing, embedding
from modern.optimizers import chosen
from modern.process.chosen_keras import keras

DATASETS = ("clicks", "adult")
BATCH_SIZE = 256
LEARNING_RATE = 0.2

AGE_BOUNDARIES = (18, 25, 30, 35, 40, 45, 50, 55, 60, 65)
# Approximate mean and standard deviation of each number.
SCALES = {
    "age": (39.0, 14.0),
    "education_num": (10.0, 3.0),
    "capital_gain": (1000.0, 5000.0),
    "capital_loss": (90.0, 400.0),
    "hours_per_week": (40.0, 12.0),
}
# The first entry stands for every value that is not in the list.
VOCABULARIES = {name: ("[UNK]", *values) for name, values in adult.VOCABULARIES.items()}
HASH_BUCKETS = {"native_country": 1000, "occupation": 20_000}
CROSSES = (("education", "occupation"), ("age_bucketized", "education", "occupation"))
CROSS_BUCKETS = 100_000
EMBEDDING_SIZES = {"native_country": 8, "occupation": 16}
HIDDEN_UNITS = (64, 32)
ID_SIZES = {
    "age_bucketized": len(AGE_BOUNDARIES) + 1,
    **{name: len(words) for name, words in VOCABULARIES.items()},
    **HASH_BUCKETS,
    **{"_X_".join(names): CROSS_BUCKETS for names in CROSSES},
}


def load_data(dataset: str, data_dir: str | None = None, seed: int = 0) -> data.ArrayDataset:
    """Returns columns (N,) of numbers and texts, and labels (N, 1) float32, in two splits."""
    return data.load_table(dataset, data_dir, seed=seed)


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
    """Returns numbers and ids of raw columns (batch,), by the name of the derived column.

    This is the part of the model without weights, which only TensorFlow can compute.

    Returns:
      The numbers, (batch,) float32, and the ids, (batch,) int64.
    """
    layers = keras.layers
    ids = {"age_bucketized": layers.Discretization(list(AGE_BOUNDARIES))(columns["age"])}
    for name, words in VOCABULARIES.items():
        ids[name] = layers.StringLookup(vocabulary=list(words))(columns[name])
    for name, buckets in HASH_BUCKETS.items():
        ids[name] = layers.Hashing(buckets)(columns[name])
    crossed = {**columns, "age_bucketized": ids["age_bucketized"]}
    for names in CROSSES:
        cross = crossing.HashedCrossing(CROSS_BUCKETS)
        ids["_X_".join(names)] = cross([crossed[name] for name in names])
    return {**{name: columns[name] for name in SCALES}, **ids}


class Wide(keras.layers.Layer):
    """A linear model over ids: one weight for each id, and one bias.

    Args:
      sizes: The number of ids in each column.
      name: The name of the layer.
    """

    def __init__(self, sizes: Mapping[str, int], name: str) -> None:
        super().__init__(name=name)
        self._tables = {
            column: embedding.Embedding(size, 1, "zeros", name=column)
            for column, size in sizes.items()
        }
        self._sum = keras.layers.Add()

    def build(self, input_shape: Mapping[str, tf.TensorShape]) -> None:
        """Creates the bias. The tables create themselves."""
        self._bias = self.add_weight(name="bias", shape=(1,), initializer="zeros")
        super().build(input_shape)

    def call(self, ids: Mapping[str, tf.Tensor]) -> tf.Tensor:
        """Returns logits (batch, 1) for ids (batch, 1) by column."""
        rows = [table(ids[column])[:, 0] for column, table in self._tables.items()]
        return self._sum(rows) + self._bias


class Deep(keras.layers.Layer):
    """Hidden layers over scaled numbers, one-hot vocabularies and embeddings."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        layers = keras.layers
        self._inputs = {
            column: layers.Rescaling(1 / deviation, -mean / deviation, name=column)
            for column, (mean, deviation) in SCALES.items()
        }
        self._one_hot = {
            column: layers.CategoryEncoding(len(words), name=column)
            for column, words in VOCABULARIES.items()
        }
        self._tables = {
            column: embedding.Embedding(
                HASH_BUCKETS[column],
                size,
                keras.initializers.TruncatedNormal(stddev=size**-0.5),
                name=f"{column}_embedding",
            )
            for column, size in EMBEDDING_SIZES.items()
        }
        # In mixed precision, Keras encodes categories as float32. This layer casts them to 16 bits.
        self._join = layers.Concatenate()
        self._hidden = [
            layers.Dense(units, "relu", name=f"hidden_{index}")
            for index, units in enumerate(HIDDEN_UNITS)
        ]
        self._logits = layers.Dense(1, name="logits")

    def call(self, features: Mapping[str, tf.Tensor]) -> tf.Tensor:
        """Returns logits (batch, 1) for numbers and ids, (batch, 1) each."""
        parts = {name: scale(features[name]) for name, scale in self._inputs.items()}
        for name, encode in self._one_hot.items():
            parts[f"{name}_indicator"] = encode(features[name])
        for name, table in self._tables.items():
            parts[f"{name}_embedding"] = table(features[name])[:, 0]
        x = self._join([parts[name] for name in sorted(parts)])
        for layer in self._hidden:
            x = layer(x)
        return self._logits(x)


def build_logits(features: Mapping[str, tf.Tensor]) -> tf.Tensor:
    """Returns logits (batch, 1) for what `build_features` returns."""
    # In mixed precision, a layer without this dtype would round the numbers.
    reshape = keras.layers.Reshape((1,), dtype="float32")
    parts = {name: reshape(feature) for name, feature in features.items()}
    ids = {name: parts[name] for name in ID_SIZES}
    return Wide(ID_SIZES, name="wide")(ids) + Deep(name="deep")(parts)


def build_model() -> keras.Model:
    """Returns a model from raw columns (batch,), float32 or text, to logits (batch, 1)."""
    inputs = {name: keras.Input((), name=name) for name in adult.NUMERIC}
    inputs |= {name: keras.Input((), name=name, dtype="string") for name in adult.TEXT}
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
    """Returns Ftrl for the wide part and Adagrad for the deep part.

    Ftrl keeps rare weights at zero.
    """
    return chosen.ByLayer(
        {
            "wide": chosen.Ftrl(learning_rate),
            "deep": chosen.Adagrad(learning_rate),
        }
    )
