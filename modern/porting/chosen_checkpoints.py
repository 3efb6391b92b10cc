"""Evaluations and predictions of chosen checkpoints, as `checkpoint_path` of an Estimator.

    for path in porting.checkpoint_state("model_dir").all_model_checkpoint_paths:
        print(porting.evaluate(model, data, checkpoint_path=path))

The model gets its own weights back after each evaluation. An Estimator had a graph for each.
"""

from __future__ import annotations

import collections
import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from modern.model_files import checkpoints, restoring, weights
from modern.model_files.errors import CheckpointError
from modern.porting import named_weights
from modern.porting.training import local_copies
from modern.process.chosen_keras import keras

_POLL_SECS = 1.0  # As in TensorFlow.


def latest_checkpoint(model_dir: str) -> str | None:
    """Returns the path of a folder's latest checkpoint, or None.

    Args:
      model_dir: The folder of a model, or any folder with checkpoints.
    """
    return checkpoints.latest(model_dir) or tf.train.latest_checkpoint(model_dir)


def checkpoint_state(model_dir: str) -> Any:
    """Returns the paths of a folder's checkpoints as `tf.train.get_checkpoint_state`, or None.

    Args:
      model_dir: The folder of a model, or any folder with checkpoints.
    """
    of_model = tf.train.get_checkpoint_state(checkpoints.folder(model_dir))
    return of_model or tf.train.get_checkpoint_state(model_dir)


def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Yields the path of each new checkpoint in a folder, as `tf.train.checkpoints_iterator`.

    Args:
      checkpoint_dir: The folder of a model, or any folder with checkpoints.
      min_interval_secs: Minimum number of seconds between two checkpoints.
      timeout: Number of seconds to wait for a checkpoint. None waits for ever.
      timeout_fn: Says after a timeout whether to end. None ends.
    """
    path: str | None = None
    while True:
        end = None if timeout is None else time.monotonic() + timeout
        new_path = latest_checkpoint(checkpoint_dir)
        while new_path in (None, path) and (end is None or time.monotonic() + _POLL_SECS <= end):
            time.sleep(_POLL_SECS)
            new_path = latest_checkpoint(checkpoint_dir)
        if new_path is None or new_path == path:
            if timeout_fn is None or timeout_fn():
                return
            continue
        path, start = new_path, time.monotonic()
        yield path
        time.sleep(max(0.0, start + min_interval_secs - time.monotonic()))


@contextlib.contextmanager
def chosen(model: keras.Model, path: str | None) -> Iterator[None]:
    """Gives a model the weights and the step of a checkpoint during the block.

    Args:
      model: The compiled model, with its variables.
      path: Path of the checkpoint, as for `named_weights.path_of`. None, or "", for the values that
        the model has.

    Raises:
      CheckpointError: The checkpoint cannot be read, or is of another model.
    """
    if not path:
        yield
        return
    with _Swap(model, path).swapped():
        yield


def predictions(model: keras.Model, data: tf.data.Dataset, path: str | None) -> Iterator[Any]:
    """Yields the predictions for each batch, computed as they are consumed.

    Args:
      model: The model, under any strategy.
      data: Features, or features and labels, in batches.
      path: Path of the checkpoint with the weights. None for those of the model.

    Raises:
      CheckpointError: The checkpoint cannot be read, or is of another model.
    """
    if not path:
        yield from local_copies.predictions(model, data)
        return
    restoring.prepare(model, model.predict_step, data.element_spec)
    swap, batches = _Swap(model, path), local_copies.predictions(model, data)
    while True:
        with swap.swapped():  # The program may use the model between two batches.
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


class _Swap:
    """The values of a checkpoint, which a model gets for some time.

    Args:
      model: The model, with its variables.
      path: Path of the checkpoint.

    Raises:
      CheckpointError: The checkpoint cannot be read, or is of another model.
    """

    def __init__(self, model: keras.Model, path: str) -> None:
        self._variables = [*named_weights.weights_of(model), model.optimizer.iterations]
        own_values = self._values()
        stored = named_weights.NamedValues(path)
        try:
            if stored.is_of_objects:
                _restore(model, stored)
            else:
                _assign(model, stored)
            model.optimizer.iterations.assign(stored.step)
            self._chosen = self._values()
        finally:
            self._set(own_values)

    @contextlib.contextmanager
    def swapped(self) -> Iterator[None]:
        """Gives the model the values of the checkpoint during the block."""
        own_values = self._values()
        self._set(self._chosen)
        try:
            yield
        finally:
            self._set(own_values)

    def _values(self) -> list[np.ndarray]:
        return [variable.numpy() for variable in self._variables]

    def _set(self, values: Sequence[np.ndarray]) -> None:
        for variable, value in zip(self._variables, values, strict=True):
            variable.assign(value)


def _restore(model: keras.Model, stored: named_weights.NamedValues) -> None:
    """Reads a checkpoint of Keras into a model, object by object."""
    counts = collections.Counter(variable.name for variable in named_weights.weights_of(model))
    variables = named_weights.variables(model)
    unique = {name for name, parts in variables.items() if counts[parts[0].name] == 1}
    _check(unique, stored)
    if checkpoints.restore_for_evaluation(model, stored.path) is None:
        raise CheckpointError(f"The checkpoint {stored.path} is damaged.")
    model.reset_metrics()  # The checkpoint has their sums, too.


def _check(names: Collection[str], stored: named_weights.NamedValues) -> None:
    missing = sorted({*names} - {*stored})
    if missing:
        raise CheckpointError(f"{stored.path} has no {missing[0]!r}: it is of another model.")


def _assign(model: keras.Model, stored: named_weights.NamedValues) -> None:
    """Assigns the values of an Estimator's checkpoint to the weights of a model."""
    variables = named_weights.variables(model)
    _check(variables, stored)
    values = {name: stored[name] for name in variables}
    for name, parts in variables.items():
        weights.check_shape(name, parts, values[name], stored.path)
    for name, parts in variables.items():
        weights.assign_parts(parts, values[name])
