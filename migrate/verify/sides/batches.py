"""Draws batches once, so that both sides see the same: shuffling and augmentation fall away.

    drawn = batches.draw(input_fn, limit=5)
    drawn.items[0].features, drawn.items[0].labels

An input_fn is run in a graph and a session, as Estimator runs it, with the iterator initialized and
queues started. What it yields is kept as NumPy arrays, and sparse tensors as `Sparse`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.estimator.inputs import input_pipeline
from migrate import loading
from modern.process import cli

tf1 = tf.compat.v1


@dataclasses.dataclass(frozen=True)
class Sparse:
    """A sparse tensor's arrays; unlike SparseTensorValue, no structure to tf.nest."""

    indices: np.ndarray
    values: np.ndarray
    dense_shape: np.ndarray


@dataclasses.dataclass(frozen=True)
class Batch:
    """What an input_fn yields at once: structures of arrays; labels may be None."""

    features: Any
    labels: Any

    @property
    def size(self) -> int:
        """The number of examples: the first dimension of what comes first."""
        first = tf.nest.flatten(self.features)[0]
        if isinstance(first, Sparse):
            return int(first.dense_shape[0])
        return len(first) if np.ndim(first) else 1


@dataclasses.dataclass(frozen=True)
class Batches:
    """Batches of one input_fn.

    Attributes:
      items: in the order in which they came.
      specs: tf.TypeSpecs of (features, labels), with the shapes that are known statically.
      ended: whether the input_fn ended before the limit, so that these are all.
    """

    items: tuple[Batch, ...]
    specs: Any
    ended: bool


def tensors(values: Any) -> Any:
    """Returns a structure of arrays, as in a `Batch`, as tensors; None stays."""

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
      input_fn: returns a Dataset, (features, labels), or features; takes any of `arguments`.
      limit: how many batches at most.
      arguments: "mode", "params" and "config", for an input_fn that asks for them.

    Returns:
      The batches; at least one.

    Raises:
      cli.UsageError: the input_fn fails or yields nothing, or yields what is neither a tensor
        nor a sparse one.
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
        wanted = (features, labels)
        specs = tf.nest.map_structure(_spec, wanted)
        fetched = [part for part in tf.nest.flatten(wanted) if part is not None]
        taken, ended = _run(fetched, hooks, limit)
    if not taken:
        raise cli.UsageError("--input: the input function yields no batch.")
    return Batches(tuple(_pack(wanted, parts) for parts in taken), specs, ended)


def _spec(part: Any) -> Any:
    if part is None:
        return None
    if isinstance(part, tf.SparseTensor):
        return tf.SparseTensorSpec(part.shape, part.dtype)
    if isinstance(part, tf.Tensor):
        return tf.TensorSpec(part.shape, part.dtype)
    raise cli.UsageError(
        f"--input: the input function yields a {type(part).__name__}; what can be compared are "
        "tensors and sparse tensors."
    )


def _run(fetched: list[Any], hooks: list[Any], limit: int) -> tuple[list[Any], bool]:
    """Returns the values of as many batches, and whether the input ended."""
    taken: list[Any] = []
    for hook in hooks:
        hook.begin()
    with tf1.Session() as session:
        session.run([tf1.global_variables_initializer(), tf1.local_variables_initializer()])
        session.run(tf1.tables_initializer())
        for hook in hooks:
            hook.after_create_session(session, None)
        coordinator = tf.train.Coordinator()
        queued = bool(tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS))
        threads = tf1.train.start_queue_runners(session, coordinator) if queued else []
        try:
            # What comes from no dataset and no queue is one and the same batch for ever.
            can_end = input_pipeline.can_end(fetched)
            for _ in range(limit if can_end else 1):
                taken.append(session.run(fetched))
        except tf.errors.OutOfRangeError:
            return taken, True
        except tf.errors.OpError as error:
            raise cli.UsageError(f"--input: reading a batch failed: {error.message}") from error
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=5, ignore_live_threads=True)
    return taken, not can_end


def _pack(like: tuple[Any, Any], parts: list[Any]) -> Batch:
    rest = iter(parts)
    flat = [None if part is None else _kept(next(rest)) for part in tf.nest.flatten(like)]
    return Batch(*tf.nest.pack_sequence_as(like, flat))


def _kept(part: Any) -> Any:
    return Sparse(*part) if isinstance(part, tf1.SparseTensorValue) else part
