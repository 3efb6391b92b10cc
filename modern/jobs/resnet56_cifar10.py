"""ResNet-56 for 32x32 colour images, as He et al. 2015 trained it on CIFAR-10.

    python -m modern.train --flagfile=modern/jobs/resnet56_cifar10.flags

The paper is arXiv:1512.03385. Its section 4.2 describes the network and the training.

The network has 6n + 2 layers with n = 9: one 3x3 convolution, three stages of nine blocks with 16,
32 and 64 filters, global average pooling, 10 logits. A shortcut that changes shape skips pixels and
pads channels with zeros (option A of the paper), which needs no weights. The network has 0.85
million parameters in all.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from modern import data
from modern.data import pipeline
from modern.layers import normalization
from modern.optimizers import chosen
from modern.process.chosen_keras import keras

DATASETS = ("cifar10", "digits", "mnist", "synthetic")
BATCH_SIZE = 128
LEARNING_RATE = 0.1
MOMENTUM = 0.9
# The factor in the gradient. The L2 penalty of the loss has half of it.
WEIGHT_DECAY = 1e-4
BATCH_NORM_MOMENTUM = 0.9
BATCH_NORM_EPSILON = 1e-5
# The paper divides the learning rate by 10 at these steps, of 64,000.
DECAY_STEPS = (32_000, 48_000)
# Each replica normalizes and augments its own batches. So N replicas are not equivalent to one
# replica with N times the batch.
PER_REPLICA = True
BLOCKS_PER_STAGE = 9
FILTERS = (16, 32, 64)


def load_data(dataset: str, data_dir: str | None = None, seed: int = 0) -> data.ArrayDataset:
    """Returns images (N, 32, 32, 3) uint8 and labels (N,) int64, for training and testing."""
    return data.load(dataset, data_dir, image_shape=(32, 32, 3), seed=seed)


def scale_pixels(images: tf.Tensor, labels: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Scales pixels from 0..255 (uint8) to -1..1 (float32)."""
    return tf.cast(images, tf.float32) / 127.5 - 1.0, labels


def augment(images: tf.Tensor, labels: tf.Tensor, seed: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Pads each image by 4, crops 32x32 at a random place and flips half. `seed` has shape (2,)."""
    batch = tf.shape(images)[0]
    seeds = tf.random.split(seed, 2)
    padded = tf.pad(images, [[0, 0], [4, 4], [4, 4], [0, 0]])
    corners = tf.random.stateless_uniform([batch, 2], seeds[0], 0, 9, dtype=tf.int32)
    rows = corners[:, 0, None] + tf.range(32)
    columns = corners[:, 1, None] + tf.range(32)
    cropped = tf.gather(padded, rows, axis=1, batch_dims=1)
    cropped = tf.gather(cropped, columns, axis=2, batch_dims=1)
    flip = tf.random.stateless_uniform([batch, 1, 1, 1], seeds[1]) < 0.5
    return tf.where(flip, cropped[:, :, ::-1], cropped), labels


def train_input_fn(
    arrays: data.ArrayDataset,
    batch_size: int,
    seed: int,
    trainers: int = 1,
    trainer: int = 0,
    first_step: int = 0,
) -> tf.data.Dataset:
    """Returns endless shuffled, augmented batches for one of `trainers` trainers."""
    batches = pipeline.train_batches(
        arrays.train_features,
        arrays.train_labels,
        batch_size,
        seed,
        trainers,
        trainer,
        scale_pixels,
        first_step,
    )
    # The counter makes the augmentation a function of seed, trainer and step alone.
    steps = tf.data.Dataset.counter(first_step)
    seeds = steps.map(lambda step: tf.stack([step, tf.cast(seed * 1000 + trainer, tf.int64)]))
    return tf.data.Dataset.zip((batches, seeds)).map(
        lambda batch, batch_seed: augment(batch[0], batch[1], batch_seed), num_parallel_calls=2
    )


def eval_input_fn(arrays: data.ArrayDataset, batch_size: int) -> tf.data.Dataset:
    """Returns the test images once, in order, without augmentation."""
    return pipeline.eval_batches(arrays.test_features, arrays.test_labels, batch_size, scale_pixels)


def _conv(x: tf.Tensor, filters: int, strides: int, name: str) -> tf.Tensor:
    return keras.layers.Conv2D(
        filters,
        3,
        strides,
        padding="same",
        use_bias=False,
        kernel_initializer="he_normal",
        kernel_regularizer=keras.regularizers.L2(WEIGHT_DECAY / 2),
        name=name,
    )(x)


def _batch_norm(x: tf.Tensor, name: str) -> tf.Tensor:
    return normalization.BatchNormalization(
        momentum=BATCH_NORM_MOMENTUM, epsilon=BATCH_NORM_EPSILON, name=name
    )(x)


class Shortcut(keras.layers.Layer):
    """Skips pixels and adds channels of zeros.

    Args:
      filters: The number of channels of the output.
      strides: The distance of the pixels that are left.
    """

    def __init__(self, filters: int, strides: int) -> None:
        super().__init__()
        self._filters, self._strides = filters, strides

    def build(self, input_shape: Any) -> None:
        """Creates the layer that pads."""
        missing = self._filters - input_shape[-1]
        # It pads the last two of four axes, which here are the columns and the channels.
        self._pad = keras.layers.ZeroPadding2D(((0, 0), (0, missing)), "channels_first")
        super().build(input_shape)

    def call(self, images: tf.Tensor) -> tf.Tensor:
        """Returns images (batch, height / strides, width / strides, filters)."""
        return self._pad(images[:, :: self._strides, :: self._strides])


def _shortcut(x: tf.Tensor, filters: int, strides: int) -> tf.Tensor:
    return x if x.shape[-1] == filters else Shortcut(filters, strides)(x)


def _block(x: tf.Tensor, filters: int, strides: int, name: str) -> tf.Tensor:
    shortcut = _shortcut(x, filters, strides)
    x = _conv(x, filters, strides, f"{name}_conv1")
    x = keras.layers.ReLU()(_batch_norm(x, f"{name}_bn1"))
    x = _conv(x, filters, 1, f"{name}_conv2")
    x = _batch_norm(x, f"{name}_bn2")
    return keras.layers.ReLU()(keras.layers.Add()([x, shortcut]))


def build_model() -> keras.Model:
    """Returns a model from images (batch, 32, 32, 3) float32 to logits (batch, 10)."""
    images = keras.Input((32, 32, 3))
    x = _conv(images, FILTERS[0], 1, "first_conv")
    x = keras.layers.ReLU()(_batch_norm(x, "first_bn"))
    for stage, filters in enumerate(FILTERS):
        for block in range(BLOCKS_PER_STAGE):
            strides = 2 if stage > 0 and block == 0 else 1
            x = _block(x, filters, strides, f"stage{stage + 1}_block{block + 1}")
    x = keras.layers.GlobalAveragePooling2D()(x)
    logits = keras.layers.Dense(
        10,
        kernel_initializer="he_normal",
        kernel_regularizer=keras.regularizers.L2(WEIGHT_DECAY / 2),
        name="logits",
    )(x)
    return keras.Model(images, logits)


def make_loss() -> keras.losses.Loss:
    """Returns the sparse categorical cross-entropy from logits, averaged over the batch.

    The model adds the weight decay.
    """
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def make_metrics() -> list[keras.metrics.Metric]:
    """Returns the metrics that evaluation reports in addition to the loss."""
    return [keras.metrics.SparseCategoricalAccuracy(name="accuracy")]


def make_learning_rate(base: float) -> keras.optimizers.schedules.LearningRateSchedule:
    """Returns the paper's rates: `base`, a tenth after 32,000 steps, a hundredth after 48,000."""
    return keras.optimizers.schedules.PiecewiseConstantDecay(
        list(DECAY_STEPS), [base, base / 10, base / 100]
    )


def make_optimizer(
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
) -> chosen.Optimizer:
    """Returns SGD with momentum 0.9."""
    return chosen.SGD(learning_rate, momentum=MOMENTUM)
