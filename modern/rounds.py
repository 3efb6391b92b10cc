"""How far a training goes, such that all replicas and workers take as many batches.

>>> import tensorflow as tf
>>> data, steps = limited(tf.data.Dataset.range(5), tf.distribute.get_strategy(), 3)
>>> len(data), steps
(3, 3)

A replica without a batch would train on an empty one, whose mean loss is no number; a worker
without one would leave the others waiting for it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

_ENDLESS = 2**62
_LONGEST_EPOCH, _SHORTEST_EPOCH = 200, 50


def limited(
    data: tf.data.Dataset, strategy: tf.distribute.Strategy, steps: int | None
) -> tuple[tf.data.Dataset, int | None]:
    """Returns the data of one task for whole steps of all replicas, and how many steps these are.

    Args:
      data: batches, one for a replica in a step.
      strategy: whose replicas take them.
      steps: how many at most; None for as many as there are.

    Returns:
      The data, and the steps; None where only the data know.
    """
    replicas = 1
    if tf.distribute.get_strategy() is not strategy:
        replicas = len(strategy.extended.worker_devices)
    count = int(data.cardinality())
    if count == tf.data.UNKNOWN_CARDINALITY and replicas > 1:
        data = data.window(replicas, drop_remainder=True).flat_map(_again)
    most = _ENDLESS if steps is None else steps
    known = count // replicas if count >= 0 else _ENDLESS
    if _is_ring(strategy):
        known = _least(strategy, known)
    most = min(most, known)
    if most < _ENDLESS:
        data = data.take(most * replicas)
    is_known = count != tf.data.UNKNOWN_CARDINALITY and most < _ENDLESS
    return data, most if is_known else None


def _again(*window: Any) -> tf.data.Dataset:
    """The elements of a window."""
    return tf.data.Dataset.zip(window if len(window) > 1 else window[0])


def _is_ring(strategy: tf.distribute.Strategy) -> bool:
    return isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)


def _least(strategy: tf.distribute.Strategy, value: int) -> int:
    """The least of what the workers of a ring have."""

    @tf.function
    def gather() -> tf.Tensor:
        each = strategy.run(lambda: tf.constant([value], tf.int64))
        return strategy.gather(each, axis=0)

    return int(tf.reduce_min(gather()))


@contextlib.contextmanager
def ended_together(model: tf_keras.Model, data: tf.data.Dataset) -> Iterator[None]:
    """Has the workers of a ring end with the first whose data end, while the block runs.

    Nothing is to be done for it where the data's length is known, nor, with several replicas in a
    task, can it be: TensorFlow then ends when no replica has data.

    Args:
      model: what `fit` trains meanwhile.
      data: of this worker.
    """
    strategy = model.distribute_strategy
    is_known = int(data.cardinality()) != tf.data.UNKNOWN_CARDINALITY
    if not _is_ring(strategy) or is_known or len(strategy.extended.worker_devices) > 1:
        yield
        return
    # Not by setattr, with which Keras would take it for a part of the model.
    vars(model)["make_train_function"] = lambda force=False: _looking_ahead(model)
    try:
        yield
    finally:
        del vars(model)["make_train_function"]
        model.train_function = None


def _looking_ahead(model: tf_keras.Model) -> Callable[[tf.data.Iterator], Any]:
    """Makes a function that trains a step, if all workers have data for it."""
    strategy = model.distribute_strategy

    @tf.function
    def are_ready(is_ready: tf.Tensor) -> tf.Tensor:
        ready = strategy.run(lambda: tf.cast(is_ready, tf.float32))
        total = strategy.reduce(tf.distribute.ReduceOp.SUM, ready, axis=None)
        return total > strategy.num_replicas_in_sync - 0.5

    @tf.function
    def train(data: Any) -> Any:
        return strategy.run(model.train_step, args=(data,))

    def run(iterator: tf.data.Iterator) -> Any:
        found = iterator.get_next_as_optional()
        if not are_ready(found.has_value()):
            raise StopIteration
        return train(found.get_value())

    model.train_function = run
    return run


def epoch(steps: int) -> int:
    """Returns how many steps of a coordinator's make an epoch, at whose end it can stop.

    Data begin anew where the last epoch is a shorter one, so it is none if that can be.

    Args:
      steps: of the training.
    """
    most = min(steps, _LONGEST_EPOCH)
    whole = (length for length in range(most, _SHORTEST_EPOCH - 1, -1) if steps % length == 0)
    return next(whole, most)
