"""Writes the checkpoints of variables on parameter servers, while workers change them.

    writer = Writer(tf.train.Checkpoint(model=model, optimizer=optimizer), optimizer.iterations)
    snapshot = writer.snapshot()
    snapshot.write(f"model/checkpoints/ckpt-{snapshot.step}")

`tf.train.Checkpoint.write` makes a new function for each call if the variables are on several
servers. That harms a training which goes on meanwhile:

- TensorFlow sends the function to all workers and takes it back afterwards, and holds Python's lock
  meanwhile. So the coordinator schedules few steps, and none if a worker does not answer.
- If the function fails, as on a full disk, the steps that run at that time fail, too.

So one function reads all variables at the same moment, and serves all checkpoints. The values stay
on their servers. Operations outside of a function then write them to files.
"""

from __future__ import annotations

import os
import threading
from typing import Any

import tensorflow as tf
from tensorflow.python.checkpoint import functional_saver

from modern.process import files

_THREAD = threading.local()
_Node = tuple[Any, dict[str, int]]
# A device, and for each of its files the tensors by key and by slice.
_Shards = list[tuple[Any, list[dict[str, dict[str, tf.Tensor]]]]]


class Snapshot:
    """The values of a moment.

    Attributes:
      step: The step of that moment.
    """

    def __init__(self, step: int, saver: _Saver, shards: _Shards) -> None:
        self.step = step
        self._saver, self._shards = saver, shards

    def write(self, path: str) -> None:
        """Writes a checkpoint.

        Args:
          path: The path of its files, without their endings.

        Raises:
          tf.errors.OpError: The files could not be written.
        """
        files.make_folder(os.path.dirname(path))
        _use_own_executor()
        self._saver.write(path, self._shards)


class Writer:
    """Takes snapshots of the same objects repeatedly.

    Args:
      checkpoint: The objects to save. They may change between snapshots, as when an optimizer
        creates its variables.
      step: The variable with the step.
    """

    def __init__(self, checkpoint: tf.train.Checkpoint, step: tf.Variable) -> None:
        self._checkpoint, self._step = checkpoint, step
        self._nodes: list[_Node] = []
        self._saver: _Saver | None = None
        self._read_values: Any = None
        self._open_scope: Any = None

    def snapshot(self) -> Snapshot:
        """Reads all values."""
        nodes = _nodes(self._checkpoint)
        if self._saver is None or not _are_same(nodes, self._nodes):
            self._nodes = nodes
            self._read_values = tf.function(self._trace, autograph=False)
        step, values = self._read_values()
        self._open_scope = None
        assert self._saver is not None
        return Snapshot(int(step.numpy()), self._saver, self._saver.with_devices(values))

    def _trace(self) -> tuple[tf.Tensor, list[Any]]:
        """Reads all values, in a function. For example, a table exports its current content."""
        # These are the first steps of `tf.train.Checkpoint.write`.
        tensors, _, savers, _ = self._checkpoint._saver._gather_serialized_tensors()
        self._saver = _Saver(tensors, savers)
        step, values = self._step.read_value(), self._saver.read()
        # A function returns copies, which TensorFlow makes after this method has returned. Without
        # a device, they would be made on the coordinator, and each value would travel there and
        # back. So this scope stays open, until the function is traced.
        self._open_scope = tf.compat.v1.device(_device_of_input)
        self._open_scope.__enter__()
        return step, values


class _Saver(functional_saver.MultiDeviceSaver):
    """TensorFlow's writer of checkpoints, which reads all values before it writes any."""

    def read(self) -> list[Any]:
        """Returns the values of each device. It runs in a function."""
        shards_by_task = super()._get_shards_by_task(None)
        self._devices = [device for device, _ in shards_by_task]
        return [shards for _, shards in shards_by_task]

    def with_devices(self, values: list[Any]) -> _Shards:
        """Returns the values that `read` has returned, with their devices."""
        return [*zip(self._devices, values, strict=True)]

    def write(self, path: str, shards: _Shards) -> None:
        """Writes values of `with_devices`."""
        self._num_unique_tasks = 1  # TensorFlow makes a function if there are more.
        self._shards = shards
        self.save(tf.constant(path))

    def _get_shards_by_task(self, sharding_callback: Any) -> _Shards:
        return self._shards


def _device_of_input(operation: tf.Operation) -> str:
    """Returns the device of an operation's input, or any device if it has none."""
    return operation.inputs[0].device if operation.inputs else ""


def _nodes(checkpoint: tf.train.Checkpoint) -> list[_Node]:
    """Returns all objects to save, each with the identity of the objects below it, by name."""
    view = tf.train.TrackableView(checkpoint)
    return [
        (node, {name: id(child) for name, child in view.children(node).items()})
        for node in view.descendants()
    ]


def _are_same(nodes: list[_Node], others: list[_Node]) -> bool:
    """Returns whether two lists have the same objects. A list keeps its objects alive."""
    if any(isinstance(node, tf.train.experimental.PythonState) for node, _ in nodes):
        return False  # A function would return the state that it was made with.
    return [(id(node), names) for node, names in nodes] == [
        (id(node), names) for node, names in others
    ]


def _use_own_executor() -> None:
    """Gives this thread its own executor.

    An error stays in an executor, and TensorFlow reports it again to all threads that share it.
    """
    if not hasattr(_THREAD, "has_executor"):
        # Each change makes an executor.
        tf.config.experimental.set_synchronous_execution(False)
        tf.config.experimental.set_synchronous_execution(True)
        _THREAD.has_executor = True
