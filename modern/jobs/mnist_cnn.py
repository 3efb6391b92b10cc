"""The convolutional network for 28x28 digits that TensorFlow's multi-worker guides train.

    python -m modern.train --flagfile=modern/jobs/mnist_cnn.flags

The model reshapes to 28x28x1 and has 32 3x3 convolutions, a hidden layer of 128 units and 10
logits. It has 2.8 million parameters (11 MB), nearly all of them in the hidden layer. So the job
needs much communication between the tasks and little computing.
"""

from __future__ import annotations

import tensorflow as tf

from modern import data
from modern.data import pipeline
from modern.optimizers import chosen
from modern.process.chosen_keras import keras

DATASETS = ("digits", "mnist", "synthetic")
BATCH_SIZE = 64
LEARNING_RATE = 0.001  # For a batch of 64.


def load_data(dataset: str, data_dir: str | None = None, seed: int = 0) -> data.ArrayDataset:
    """Returns images (N, 28, 28) uint8 and labels (N,) int64, for training and testing."""
    return data.load(dataset, data_dir, image_shape=(28, 28), seed=seed)


def scale_pixels(images: tf.Tensor, labels: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Scales pixels from 0..255 (uint8) to 0..1 (float32)."""
    return tf.cast(images, tf.float32) / 255.0, labels


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
        scale_pixels,
        first_step,
    )


def eval_input_fn(arrays: data.ArrayDataset, batch_size: int) -> tf.data.Dataset:
    """Returns the test images once, in order."""
    return pipeline.eval_batches(arrays.test_features, arrays.test_labels, batch_size, scale_pixels)


def build_model() -> keras.Model:
    """Returns a model from images (batch, 28, 28) float32 to logits (batch, 10)."""
    return keras.Sequential(
        [
            keras.Input((28, 28)),
            keras.layers.Reshape((28, 28, 1)),
            keras.layers.Conv2D(32, 3, activation="relu", name="conv"),
            keras.layers.Flatten(),
            keras.layers.Dense(128, activation="relu", name="hidden"),
            keras.layers.Dense(10, name="logits"),
        ]
    )


def make_loss() -> keras.losses.Loss:
    """Returns the sparse categorical cross-entropy from logits, averaged over the batch."""
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def make_metrics() -> list[keras.metrics.Metric]:
    """Returns the metrics that evaluation reports in addition to the loss."""
    return [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]


def make_learning_rate(base: float) -> float:
    """Returns a constant learning rate."""
    return base


def make_optimizer(
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
) -> chosen.Optimizer:
    """Returns plain SGD."""
    return chosen.SGD(learning_rate)
