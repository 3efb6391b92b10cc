"""Limits a training to the number of batches that every replica and worker can supply.

>>> import tensorflow as tf
>>> data, steps = limit_data(tf.data.Dataset.range(5), tf.distribute.get_strategy(), 3)
>>> len(data), steps
(3, 3)

A replica without a batch would train on an empty batch, whose mean loss is NaN. If a worker had no
batch, the others would wait for it forever.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras
from modern.training import strategies

# Stands for endless data. It fits into the int64 that workers exchange.
_ENDLESS = 2**62
_LONGEST_EPOCH, _SHORTEST_EPOCH = 200, 50


def limit_data(
    data: tf.data.Dataset, strategy: tf.distribute.Strategy, steps: int | None
) -> tuple[tf.data.Dataset, int | None]:
    """Limits the data of one task to whole steps of all replicas.

    For example, 5 batches are 2 steps of 2 replicas.

    Args:
      data: Batches. Each replica takes one in a step.
      strategy: The strategy whose replicas take them.
      steps: The maximum number of steps. None sets no maximum.

    Returns:
      The data and the number of steps, which is None if it is known only when the data end.
    """
    replicas = strategies.replicas_of_trainer(strategy)
    count = int(data.cardinality())
    if count == tf.data.UNKNOWN_CARDINALITY and replicas > 1:
        # Drops the last batches if they do not fill a step of all replicas.
        data = data.window(replicas, drop_remainder=True).flat_map(_elements)
    step_limit = _ENDLESS if steps is None else steps
    available_steps = count // replicas if count >= 0 else _ENDLESS
    is_known = count != tf.data.UNKNOWN_CARDINALITY
    if _has_synchronous_workers(strategy):
        available_steps, is_known_to_all = _minimum(strategy, available_steps, int(is_known))
        if is_known and not is_known_to_all:
            is_known, data = False, data.filter(lambda *_: True)  # Makes the length unknown.
    step_limit = min(step_limit, available_steps)
    if step_limit < _ENDLESS:
        data = data.take(step_limit * replicas)
    return data, step_limit if is_known and step_limit < _ENDLESS else None


def _elements(*window: Any) -> tf.data.Dataset:
    """Returns the elements of a window."""
    return tf.data.Dataset.zip(window if len(window) > 1 else window[0])


def _has_synchronous_workers(strategy: tf.distribute.Strategy) -> bool:
    return isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)


def _minimum(strategy: tf.distribute.Strategy, *values: int) -> list[int]:
    """Returns the minimum of each value over the synchronous workers."""

    @tf.function
    def gather() -> tf.Tensor:
        rows = strategy.run(lambda: tf.constant([values], tf.int64))
        return strategy.gather(rows, axis=0)

    return tf.reduce_min(gather(), axis=0).numpy().tolist()


@contextlib.contextmanager
def ended_with_data(model: keras.Model, data: tf.data.Dataset) -> Iterator[None]:
    """Ends `fit` before the first step that lacks data, on all synchronous workers at once.

    Only for data of unknown length. Keras notices their end within a step, which may have been
    counted by then, and on one worker alone (seen in tf_keras 2.21).

    Args:
      model: The model that `fit` trains while the block runs.
      data: The data of this task.
    """
    if int(data.cardinality()) != tf.data.UNKNOWN_CARDINALITY:
        yield
        return
    # Not by setattr: Keras would track it as a part of the model.
    vars(model)["make_train_function"] = lambda force=False: _limited_train_function(model)
    try:
        yield
    finally:
        del vars(model)["make_train_function"]
        # The next call of `fit` makes its own function.
        model.train_function = None


def _limited_train_function(model: keras.Model) -> Callable[[Any], Any]:
    """Makes a function that trains one step if data is left for it."""
    strategy = model.distribute_strategy

    @tf.function
    def train(data: Any) -> Any:
        outputs = strategy.run(model.train_step, args=(data,))
        return tf.nest.map_structure(lambda x: strategy.experimental_local_results(x)[0], outputs)

    has_all = _agreement_on_data(strategy) if _has_synchronous_workers(strategy) else bool

    def run(iterator: Any) -> Any:
        batch = iterator.get_next_as_optional()
        if not has_all(batch.has_value()):
            raise StopIteration
        return train(batch.get_value())

    model.train_function = run
    return run


def _agreement_on_data(strategy: tf.distribute.Strategy) -> Callable[[tf.Tensor], tf.Tensor]:
    """Makes a function that returns whether all synchronous workers have data."""

    @tf.function
    def has_all(has: tf.Tensor) -> tf.Tensor:
        missing = strategy.run(lambda: 1.0 - tf.cast(has, tf.float32))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, missing, axis=None) < 0.5

    return has_all


def coordinated_steps(
    data: tf.data.Dataset, workers: int, steps: int | None, replicas: int = 1
) -> int | None:
    """Returns the number of steps for which the workers of a coordinator have data.

    Args:
      data: The data of each worker.
      workers: The number of workers.
      steps: The maximum number of steps. None sets no maximum.
      replicas: The number of replicas of a worker. Each takes a batch in a step of the worker.

    Returns:
      The number of steps. None if it has no limit.
    """
    count = int(data.cardinality())
    data_steps = count // replicas * workers if count >= 0 else None
    return min((end for end in (steps, data_steps) if end is not None), default=None)


def epoch(steps: int) -> int:
    """Returns the number of a coordinator's steps in an epoch, at whose end it can stop.

    A shorter last epoch needs another call of `fit`, for which the data start again. So the epoch
    divides the training evenly if possible. For example, 450 steps have epochs of 150.

    Args:
      steps: The number of steps of the training.
    """
    longest = min(steps, _LONGEST_EPOCH)
    divisors = (length for length in range(longest, _SHORTEST_EPOCH - 1, -1) if steps % length == 0)
    return next(divisors, longest)
