"""Draws batches once for both sides, so that shuffling and augmentation have no effect.

    sample = batches.draw(input_fn, limit=5)
    sample.items[0].features, sample.items[0].labels

An input_fn runs in a graph and a session, as under Estimator, with initialized iterators and
started queues. Its batches are kept as NumPy arrays, and sparse tensors as `Sparse`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.estimator.loops import input_pipeline
from migrate import loading
from modern.process import cli

tf1 = tf.compat.v1


@dataclasses.dataclass(frozen=True)
class Sparse:
    """Arrays of a sparse tensor. Unlike SparseTensorValue, tf.nest does not flatten it."""

    indices: np.ndarray
    values: np.ndarray
    dense_shape: np.ndarray


@dataclasses.dataclass(frozen=True)
class Batch:
    """Batch of an input_fn, as structures of arrays. Labels may be None."""

    features: Any
    labels: Any

    @property
    def size(self) -> int:
        """The number of examples: the first dimension of the first feature."""
        first = tf.nest.flatten(self.features)[0]
        if isinstance(first, Sparse):
            return int(first.dense_shape[0])
        return len(first) if np.ndim(first) else 1


@dataclasses.dataclass(frozen=True)
class Batches:
    """Batches of one input_fn.

    Attributes:
      items: Batches in their original order.
      specs: tf.TypeSpecs of (features, labels), with the statically known shapes.
      ended: True if the input_fn ended before the limit, so that `items` has all its batches.
    """

    items: tuple[Batch, ...]
    specs: Any
    ended: bool


def tensors(values: Any) -> Any:
    """Converts a structure of arrays, as in a `Batch`, to tensors. None stays None."""

    def tensor(value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, Sparse):
            return tf.SparseTensor(value.indices, value.values, value.dense_shape)
        return tf.convert_to_tensor(value)

    return tf.nest.map_structure(tensor, values)


def draw(
    input_fn: Callable[..., Any], limit: int, arguments: dict[str, Any] | None = None
) -> Batches:
    """Runs an input_fn for the first batches.

    Args:
      input_fn: Function that returns a Dataset, (features, labels), or features. It may take any of
        `arguments`.
      limit: Largest number of batches.
      arguments: Values of "mode", "params" and "config", for an input_fn that takes them.

    Returns:
      The batches, at least one.

    Raises:
      cli.UsageError: The input_fn fails, yields nothing, or yields values other than dense and
        sparse tensors.
    """
    with tf.Graph().as_default():
        tf1.set_random_seed(1)
        try:
            result = loading.call(input_fn, arguments or {})
            features, labels, hooks = input_pipeline.features_and_labels(result)
        except Exception as error:
            raise cli.UsageError(
                f"--input: the input function failed: {type(error).__name__}: {error}"
            ) from error
        structure = (features, labels)
        specs = tf.nest.map_structure(_spec, structure)
        fetches = [part for part in tf.nest.flatten(structure) if part is not None]
        results, ended = _run(fetches, hooks, limit)
    if not results:
        raise cli.UsageError("--input: the input function yields no batch.")
    return Batches(tuple(_pack(structure, parts) for parts in results), specs, ended)


def _spec(part: Any) -> Any:
    if part is None:
        return None
    if isinstance(part, tf.SparseTensor):
        return tf.SparseTensorSpec(part.shape, part.dtype)
    if isinstance(part, tf.Tensor):
        return tf.TensorSpec(part.shape, part.dtype)
    raise cli.UsageError(
        f"--input: the input function yields a {type(part).__name__}, but only tensors and sparse "
        "tensors can be compared."
    )


def _run(fetches: list[Any], hooks: list[Any], limit: int) -> tuple[list[Any], bool]:
    """Returns the values of at most `limit` batches, and whether the input ended."""
    results: list[Any] = []
    for hook in hooks:
        hook.begin()
    with tf1.Session() as session:
        session.run([tf1.global_variables_initializer(), tf1.local_variables_initializer()])
        session.run(tf1.tables_initializer())
        for hook in hooks:
            hook.after_create_session(session, None)
        coordinator = tf.train.Coordinator()
        has_queues = bool(tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS))
        threads = tf1.train.start_queue_runners(session, coordinator) if has_queues else []
        try:
            # Without a dataset or a queue, each run returns the same batch.
            can_end = input_pipeline.can_end(fetches)
            for _ in range(limit if can_end else 1):
                results.append(session.run(fetches))
        except tf.errors.OutOfRangeError:
            return results, True
        except tf.errors.OpError as error:
            raise cli.UsageError(f"--input: reading a batch failed: {error.message}") from error
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=5, ignore_live_threads=True)
    return results, not can_end


def _pack(structure: tuple[Any, Any], parts: list[Any]) -> Batch:
    rest = iter(parts)
    flat = [None if part is None else _to_arrays(next(rest)) for part in tf.nest.flatten(structure)]
    return Batch(*tf.nest.pack_sequence_as(structure, flat))


def _to_arrays(part: Any) -> Any:
    return Sparse(*part) if isinstance(part, tf1.SparseTensorValue) else part
