"""Input pipelines over arrays in memory: shuffle, repeat, batch, and a share for each trainer.

In this file, each replica of a trainer with several devices counts as a trainer.

An epoch is one seeded permutation of the examples. A step takes the next `trainers * batch_size`
examples, and each trainer takes its own `batch_size` of these. So N trainers see in one step the
same examples as one process with the global batch. No example is read twice in an epoch, and no
trainer does another's work. (With TensorFlow's auto-sharding by data, every worker shuffles and
batches all examples and then drops the share of the others.)

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

from modern.data.arrays import DataError, Features

# A job's transformation of a batch between the arrays and the model: scaling, augmentation.
Transform = Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, tf.Tensor]]
_PREFETCH_BATCHES = 4


def train_batches(
    features: Features,
    labels: np.ndarray,
    batch_size: int,
    seed: int,
    trainers: int = 1,
    trainer: int | tf.Tensor = 0,
    transform: Transform | None = None,
    first_step: int = 0,
) -> tf.data.Dataset:
    """Returns an endless, shuffled dataset of the batches of one trainer.

    Shuffling works on indices, and a batch is gathered in one operation. So the cost per example is
    that of a copy, and the arrays stay in memory as they are (images as uint8).

    Args:
      features: (N, ...) of any dtype, or a dict of such arrays.
      labels: (N, ...) of any dtype.
      batch_size: Examples per trainer and step.
      seed: The seed of every epoch's permutation. It must be the same on all trainers.
      trainers: The number of trainers that share the examples, or of their replicas.
      trainer: The index of this trainer, from 0. May be a scalar tensor, as under
        ParameterServerStrategy.
      transform: Applied to each whole batch of (features, labels).
      first_step: The global step of the first batch. A continued training thereby sees the same
        batches as an uninterrupted one.

    Returns:
      A dataset of (features, labels) batches of exactly `batch_size`.

    Raises:
      DataError: The examples do not fill one global batch.
    """
    examples, global_batch = len(labels), batch_size * trainers
    if examples < global_batch:
        raise DataError(
            f"{examples} training examples do not fill one global batch of {global_batch} "
            f"(--batch_size={batch_size} for each of {trainers} trainers): use a smaller "
            "--batch_size."
        )
    look_up = _look_up(features, labels)

    def take(indices: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        batch = look_up(tf.reshape(indices, [trainers, batch_size])[trainer])
        return transform(*batch) if transform else batch

    # Stateless, so that the order depends on the seed alone, also in a v1 graph.
    def permutation(epoch: tf.Tensor) -> tf.data.Dataset:
        keys = tf.random.stateless_uniform([examples], [tf.constant(seed, tf.int64), epoch])
        return tf.data.Dataset.from_tensor_slices(tf.argsort(keys, stable=True))

    # Skips the examples that the steps before `first_step` have consumed.
    epoch, offset = divmod(first_step * global_batch, examples)
    indices = tf.data.Dataset.counter(epoch).flat_map(permutation).skip(offset)
    batches = indices.batch(global_batch, drop_remainder=True).map(take)
    return _without_tuning(batches.prefetch(_PREFETCH_BATCHES))


def _without_tuning(batches: tf.data.Dataset) -> tf.data.Dataset:
    """Turns off tf.data's autotuning, whose thread costs time at the end.

    Deleting an iterator joins that thread, which sleeps between its rounds. Each sleep is twice as
    long as the one before. A `fit` of half a minute returned up to 20 s after its last step.
    """
    options = tf.data.Options()
    options.autotune.enabled = False
    return batches.with_options(options)


def _look_up(
    features: Features, labels: np.ndarray
) -> Callable[[tf.Tensor], tuple[tf.Tensor, tf.Tensor]]:
    """Returns a function that gathers examples by their indices, (batch,) int32."""
    arrays = (features, labels)
    if tf.compat.v1.executing_eagerly_outside_functions():
        gatherers = tf.nest.map_structure(_gatherer, arrays)
        return lambda indices: tf.nest.map_structure(lambda gather: gather(indices), gatherers)

    # In a v1 graph, constants would be part of the GraphDef, which is sent and written as a whole.
    flat = tf.nest.flatten(arrays)
    dtypes = [tf.as_dtype(array.dtype) for array in flat]

    def from_arrays(indices: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        batch = tf.numpy_function(lambda i: [array[i] for array in flat], [indices], dtypes)
        for tensor, array in zip(batch, flat, strict=True):
            tensor.set_shape([indices.shape[0], *array.shape[1:]])
        return tf.nest.pack_sequence_as(arrays, batch)

    return from_arrays


def _gatherer(array: np.ndarray) -> Callable[[tf.Tensor], tf.Tensor]:
    """Returns a function from indices, (batch,), to these elements of an array."""
    if array.dtype.kind != "S":
        constant = tf.constant(array)
        return lambda indices: tf.gather(constant, indices)
    # Stores each text once: these constants are part of the graph that is sent to remote workers.
    values, codes = np.unique(array, return_inverse=True)
    texts, numbers = tf.constant(values), tf.constant(codes.astype(np.int32))
    return lambda indices: tf.gather(texts, tf.gather(numbers, indices))


def eval_batches(
    features: Features, labels: np.ndarray, batch_size: int, transform: Transform | None = None
) -> tf.data.Dataset:
    """Returns one pass over all examples in order. The last batch may be smaller.

    The arguments are those of `train_batches`.
    """
    batches = tf.data.Dataset.from_tensor_slices((features, labels)).batch(batch_size)
    return _without_tuning(batches.map(transform) if transform else batches)
