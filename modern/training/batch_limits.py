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
    is_default = strategy is tf.distribute.get_strategy() and not tf.distribute.has_strategy()
    replicas = 1 if is_default else len(strategy.extended.worker_devices)
    count = int(data.cardinality())
    if count == tf.data.UNKNOWN_CARDINALITY and replicas > 1:
        data = data.window(replicas, drop_remainder=True).flat_map(_again)
    most = _ENDLESS if steps is None else steps
    known = count // replicas if count >= 0 else _ENDLESS
    is_known = count != tf.data.UNKNOWN_CARDINALITY
    if _is_ring(strategy):
        known, all_known = _least(strategy, known, int(is_known))
        if is_known and not all_known:
            is_known, data = False, data.filter(lambda *_: True)  # Its length is unknown then, too.
    most = min(most, known)
    if most < _ENDLESS:
        data = data.take(most * replicas)
    return data, most if is_known and most < _ENDLESS else None


def _again(*window: Any) -> tf.data.Dataset:
    """The elements of a window."""
    return tf.data.Dataset.zip(window if len(window) > 1 else window[0])


def _is_ring(strategy: tf.distribute.Strategy) -> bool:
    return isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)


def _least(strategy: tf.distribute.Strategy, *values: int) -> list[int]:
    """The least of what the workers of a ring have, of each value."""

    @tf.function
    def gather() -> tf.Tensor:
        each = strategy.run(lambda: tf.constant([values], tf.int64))
        return strategy.gather(each, axis=0)

    return tf.reduce_min(gather(), axis=0).numpy().tolist()


@contextlib.contextmanager
def ended_with_data(model: tf_keras.Model, data: tf.data.Dataset) -> Iterator[None]:
    """Has `fit` end with data of unknown length before a step, on all workers of a ring at once.

    Keras notices the end within a step, which may have been counted by then, and by one worker
    alone (seen in tf_keras 2.21).

    Args:
      model: what `fit` trains while the block runs.
      data: of this task.
    """
    if int(data.cardinality()) != tf.data.UNKNOWN_CARDINALITY:
        yield
        return
    # Not by setattr, with which Keras would take it for a part of the model.
    vars(model)["make_train_function"] = lambda force=False: _looking_ahead(model)
    try:
        yield
    finally:
        del vars(model)["make_train_function"]
        model.train_function = None


def _looking_ahead(model: tf_keras.Model) -> Callable[[Any], Any]:
    """Makes a function that trains a step, if there is data for it."""
    strategy = model.distribute_strategy

    @tf.function
    def train(data: Any) -> Any:
        outputs = strategy.run(model.train_step, args=(data,))
        return tf.nest.map_structure(lambda x: strategy.experimental_local_results(x)[0], outputs)

    has_all = _agreed(strategy) if _is_ring(strategy) else bool

    def run(iterator: Any) -> Any:
        found = iterator.get_next_as_optional()
        if not has_all(found.has_value()):
            raise StopIteration
        return train(found.get_value())

    model.train_function = run
    return run


def _agreed(strategy: tf.distribute.Strategy) -> Callable[[tf.Tensor], tf.Tensor]:
    """Makes a function that says whether all workers of a ring have what it is given."""

    @tf.function
    def has_all(has: tf.Tensor) -> tf.Tensor:
        missing = strategy.run(lambda: 1.0 - tf.cast(has, tf.float32))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, missing, axis=None) < 0.5

    return has_all


def coordinated(data: tf.data.Dataset, workers: int, steps: int | None) -> int | None:
    """Returns how many steps the workers of a coordinator have data for.

    Args:
      data: of each worker.
      workers: how many there are.
      steps: how many at most; None for as many as there are.

    Returns:
      The steps; None where there is no end.
    """
    count = int(data.cardinality())
    ends = [one for one in (steps, count * workers if count >= 0 else None) if one is not None]
    return min(ends, default=None)


def epoch(steps: int) -> int:
    """Returns how many steps of a coordinator's make an epoch, at whose end it can stop.

    Data begin anew where the last epoch is a shorter one, so it is none if that can be.

    Args:
      steps: of the training.
    """
    most = min(steps, _LONGEST_EPOCH)
    whole = (length for length in range(most, _SHORTEST_EPOCH - 1, -1) if steps % length == 0)
    return next(whole, most)
