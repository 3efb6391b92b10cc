"""A bridged model in the training engine: its global step, its loss, its Estimator checkpoints.

as_estimator.train_and_evaluate(model, train_data, eval_data)  # trains through it
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from migrate.bridge.errors import BridgeError
from modern.model_files import exports, rotation
from modern.training.adapter import Files, ModelAdapter

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn


class BridgedAdapter(ModelAdapter):
    """The adapter of a `KerasModelFn`.

    Args:
      model: The model.
    """

    model: KerasModelFn

    def step(self) -> int:
        """Returns the global step."""
        return int(self.model.global_step.numpy())

    def files(self, model_dir: str, keep: int | None, task: str) -> Files:
        """Returns what writes Estimator checkpoints."""
        return EstimatorFiles(self.model, os.path.join(model_dir, "model.ckpt"), keep)

    def latest(self, model_dir: str) -> str | None:
        """Returns the path of the latest checkpoint; None where there is none."""
        return tf.train.latest_checkpoint(model_dir)

    def build(self, data: tf.data.Dataset, training: bool) -> None:
        """Makes the variables for such data."""
        self.model.build_on(data, mode="train" if training else "eval")

    def load(self, path: str) -> int | None:
        """Gives the model the values of a checkpoint; None where it has been deleted."""
        try:
            self.model.load_estimator_checkpoint(path)
        except (BridgeError, tf.errors.NotFoundError):
            if tf.io.gfile.exists(f"{path}.index"):
                raise
            return None
        return self.step()

    def results(self) -> dict[str, Any]:
        """Returns the metrics of an evaluation that this process has made batch by batch."""
        return self.model.own_metrics()

    def export(self, folder: str, serving: Callable[..., Any]) -> bytes:
        """Exports the model into a new folder of a folder; returns its path."""
        path = exports.new_version(folder)
        self.model.export(path, serving)
        return path.encode()


class EstimatorFiles:
    """Estimator checkpoints of a bridged model.

    Args:
      model: The model.
      prefix: Of the checkpoints, such as "model_dir/model.ckpt".
      keep: How many stay; None for all.
    """

    def __init__(self, model: KerasModelFn, prefix: str, keep: int | None) -> None:
        self._model, self._prefix, self._keep, self._path = model, prefix, keep, ""

    def save(self) -> None:
        """Writes a checkpoint."""
        self._path = self._model.save_estimator_checkpoint(self._prefix)

    def rotate(self) -> None:
        """Removes checkpoints that are too many."""
        if self._model.distribute_strategy.extended.should_checkpoint:
            rotation.keep_latest(os.path.dirname(self._prefix), self._keep)

    def discard(self) -> None:
        """Removes the checkpoint that was saved last."""
        if self._model.distribute_strategy.extended.should_checkpoint:
            rotation.discard(self._path)

    def close(self) -> None:
        """Does nothing: a task that only takes part in saves writes no file."""
