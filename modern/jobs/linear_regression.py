"""The smallest job: a single Dense(1), to try out a cluster or a change to this toolkit.

python -m modern.train --flagfile=modern/jobs/linear_regression.flags
"""

from __future__ import annotations

import tensorflow as tf

from modern import data
from modern.data import pipeline
from modern.optimizers import chosen
from modern.process.chosen_keras import keras

DATASETS = ("synthetic",)
BATCH_SIZE = 32
LEARNING_RATE = 0.01


def load_data(dataset: str, data_dir: str | None = None, seed: int = 0) -> data.ArrayDataset:
    """Returns features (N, D) float32 and targets (N, 1) float32, for training and testing."""
    del data_dir  # The data is generated.
    return data.load_regression(dataset, seed=seed)


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


def build_model() -> keras.Model:
    """Returns a model from features (batch, 10) float32 to predictions (batch, 1)."""
    return keras.Sequential(
        [
            keras.Input((10,)),
            keras.layers.Dense(1, name="linear"),
        ]
    )


def make_loss() -> keras.losses.Loss:
    """Returns the mean squared error."""
    return keras.losses.MeanSquaredError()


def make_metrics() -> list[keras.metrics.Metric]:
    """Returns no metrics. Evaluation reports the loss alone."""
    return []


def make_learning_rate(base: float) -> float:
    """Returns a constant learning rate."""
    return base


def make_optimizer(
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
) -> chosen.Optimizer:
    """Returns plain SGD."""
    return chosen.SGD(learning_rate)
