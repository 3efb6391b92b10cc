"""Strategies that choose the ps of a variable, for `tf.compat.v1.train.replica_device_setter`.

strategy = GreedyLoadBalancingStrategy(num_tasks=2, load_fn=byte_size_load_fn)
setter = tf.compat.v1.train.replica_device_setter(2, ps_strategy=strategy)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import tensorflow as tf


class RandomStrategy:
    """Chooses the ps by a hash of the operation's name, so that all processes agree.

    Args:
      num_ps_tasks: Number of ps tasks.
      seed: Seed of the hash. Another seed distributes the variables differently.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: tf.Operation) -> int:
        """Returns the ps for an operation.

        Args:
          op: The operation.
        """
        digest = hashlib.md5(f"{op.name}_{self._seed}".encode(), usedforsecurity=False)
        return int(digest.hexdigest(), 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """Chooses the ps with the least load so far.

    Args:
      num_tasks: Number of ps tasks.
      load_fn: Function from an operation to its load, such as `byte_size_load_fn`.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[tf.Operation], float]) -> None:
        self._loads = [0.0] * num_tasks
        self._load_fn = load_fn

    def __call__(self, op: tf.Operation) -> int:
        """Returns the ps for an operation, and adds the operation's load to that ps.

        Args:
          op: The operation.
        """
        task = self._loads.index(min(self._loads))
        self._loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: tf.Operation) -> int:
    """Returns the size of an operation's only output in bytes.

    Args:
      op: The operation, typically a variable.

    Returns:
      The size in bytes. For a variable, resource or reference, it is the size of the value.

    Raises:
      ValueError: The operation has several outputs, or its shape is not known.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    dtype, shape = op.outputs[0].dtype, op.outputs[0].shape
    if dtype == tf.resource or not shape.is_fully_defined():
        shape = tf.TensorShape(op.get_attr("shape"))
        dtype = tf.as_dtype(op.get_attr("dtype"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * dtype.size
