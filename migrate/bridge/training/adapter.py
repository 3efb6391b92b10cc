"""Adapter for a bridged model: its global step, its loss and its Estimator checkpoints.

as_estimator.train_and_evaluate(model, train_data, eval_data)  # trains through it
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from migrate.bridge.errors import BridgeError
from modern.model_files import exports, intact, rotation
from modern.training.adapter import Files, ModelAdapter

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn


class BridgedAdapter(ModelAdapter):
    """Gives the training engine the step, the loss and the files of a `KerasModelFn`.

    Args:
      model: The bridged model.
    """

    model: KerasModelFn

    def step(self) -> int:
        """Returns the global step."""
        return int(self.model.global_step.numpy())

    def files(self, model_dir: str, keep: int | None, task: str) -> Files:
        """Returns the writer of Estimator checkpoints."""
        return EstimatorFiles(self.model, os.path.join(model_dir, "model.ckpt"), keep)

    def latest(self, model_dir: str) -> str | None:
        """Returns the path of the latest checkpoint, or None."""
        return rotation.latest(model_dir)

    def restore(self, model_dir: str) -> None:
        """Loads the newest checkpoint whose files are whole, which exists."""
        path = intact.newest(model_dir)
        assert path is not None
        self.model.load_estimator_checkpoint(path)

    def build(self, data: tf.data.Dataset, training: bool) -> None:
        """Creates the variables for data of this type."""
        self.model.build_on(data, mode="train" if training else "eval")

    def load(self, path: str) -> int | None:
        """Loads a checkpoint and returns its step, or None if it has been deleted or is damaged."""
        try:
            self.model.load_estimator_checkpoint(path)
        except (BridgeError, IndexError, tf.errors.OpError):
            if not intact.is_lost(path):
                raise
            return None
        return self.step()

    def results(self) -> dict[str, Any]:
        """Returns the metrics of an evaluation that this process ran batch by batch."""
        return self.model.own_metrics()

    def export(self, folder: str, serving: Callable[..., Any]) -> bytes:
        """Exports the model into a new subfolder of `folder`, and returns the subfolder's path."""
        path = exports.new_version(folder)
        self.model.export(path, serving)
        return path.encode()


class EstimatorFiles:
    """Estimator checkpoints of a bridged model.

    Args:
      model: The bridged model.
      prefix: Prefix of the checkpoints, such as "model_dir/model.ckpt".
      keep: Number of checkpoints to keep. None keeps all.
    """

    def __init__(self, model: KerasModelFn, prefix: str, keep: int | None) -> None:
        self._model, self._prefix, self._keep, self._path = model, prefix, keep, ""

    def begin(self, step: int) -> None:
        """Leaves later checkpoints out of the rotation, in the task whose files are kept."""
        if self._model.distribute_strategy.extended.should_checkpoint:
            rotation.forget_after(os.path.dirname(self._prefix), step)

    def save(self) -> None:
        """Writes a checkpoint."""
        self._path = self._model.save_estimator_checkpoint(self._prefix)

    def rotate(self) -> None:
        """Removes the oldest checkpoints beyond the number to keep."""
        if self._model.distribute_strategy.extended.should_checkpoint:
            rotation.keep_latest(os.path.dirname(self._prefix), self._keep)

    def discard(self) -> None:
        """Removes the checkpoint that was saved last."""
        if self._model.distribute_strategy.extended.should_checkpoint:
            rotation.discard(self._path)

    def close(self) -> None:
        """Does nothing, because a task that only takes part in saves writes no file."""
