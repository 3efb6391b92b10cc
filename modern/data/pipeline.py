"""Input pipelines over arrays in memory: shuffle, repeat, batch, and a share for each trainer.

An epoch is one seeded permutation of the examples. A step takes the next `trainers * batch_size` of
them and each trainer takes its own `batch_size` of those, so that N trainers see in one step
exactly what one process with the global batch would, no example is read twice in an epoch, and no
trainer does another's work. (TensorFlow's auto-sharding by data instead has every worker shuffle
and batch everything and drop what is not its own.)

>>> import numpy as np
>>> from modern.data import pipeline
>>> images, labels = np.zeros((8, 28, 28), np.uint8), np.arange(8)
>>> batches = pipeline.train_batches(images, labels, batch_size=2, seed=0, trainers=2, trainer=1)
>>> next(iter(batches))[0].shape.as_list()
[2, 28, 28]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf

# What a job does to a batch between the arrays and the model: scaling, augmentation.
Transform = Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, tf.Tensor]]
_PREFETCH_BATCHES = 4


def train_batches(
    features: np.ndarray,
    labels: np.ndarray,
    batch_size: int,
    seed: int,
    trainers: int = 1,
    trainer: int | tf.Tensor = 0,
    transform: Transform | None = None,
) -> tf.data.Dataset:
    """An endless, shuffled dataset of one trainer's batches.

    Shuffling happens on indices and a batch is gathered at once, so the cost per example is that of
    a copy and the arrays stay in memory as they are (images as uint8).

    Args:
      features: (N, ...) of any dtype.
      labels: (N, ...) of any dtype.
      batch_size: examples per trainer and step.
      seed: decides every epoch's permutation; must be the same on all trainers.
      trainers: how many trainers share the examples.
      trainer: which one of them this is, from 0; may be a scalar tensor (as under
        ParameterServerStrategy).
      transform: applied to each whole batch of (features, labels).

    Returns:
      A dataset of (features, labels) batches of exactly `batch_size`.

    Raises:
      ValueError: there are fewer examples than one global batch.
    """
    examples, global_batch = len(labels), batch_size * trainers
    if examples < global_batch:
        raise ValueError(
            f"{examples} training examples do not fill one global batch of {global_batch} "
            f"(--batch_size={batch_size} for each of {trainers} trainers): use a smaller --batch_size."
        )
    all_features, all_labels = tf.constant(features), tf.constant(labels)

    def take(indices: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        mine = tf.reshape(indices, [trainers, batch_size])[trainer]
        batch = tf.gather(all_features, mine), tf.gather(all_labels, mine)
        return transform(*batch) if transform else batch

    indices = tf.data.Dataset.range(examples).shuffle(examples, seed=seed).repeat()
    batches = indices.batch(global_batch, drop_remainder=True).map(take)
    return batches.prefetch(_PREFETCH_BATCHES)


def eval_batches(
    features: np.ndarray, labels: np.ndarray, batch_size: int, transform: Transform | None = None
) -> tf.data.Dataset:
    """One pass over all examples in order; the last batch may be smaller. Arguments as in `train_batches`."""
    batches = tf.data.Dataset.from_tensor_slices((features, labels)).batch(batch_size)
    return batches.map(transform) if transform else batches
