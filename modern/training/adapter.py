"""The adapter through which the engine reads the step, loss, variables and files of a model.

>>> from modern.process.chosen_keras import keras
>>> model = keras.Sequential([keras.layers.Dense(1)])
>>> model.compile("sgd", "mse")
>>> ModelAdapter(model).step()
0

`Trainer` and `Evaluations` access a model only through its adapter. The base class fits any
compiled Keras model. Documented jobs and a bridged model_fn have subclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
import tensorflow as tf

from modern.model_files import checkpoints, restoring, signatures
from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.records import progress


class Files(Protocol):
    """The checkpoints of a training."""

    def begin(self, step: int) -> None:
        """Prepares for a training from this step on: later checkpoints are not removed."""

    def save(self) -> object:
        """Writes a checkpoint of the model in its current state."""

    def rotate(self) -> None:
        """Removes old checkpoints, once the new one is known to be good."""

    def discard(self) -> None:
        """Removes the checkpoint that was saved last."""

    def close(self) -> None:
        """Removes files that this task wrote only to take part in the saves of other workers."""


@runtime_checkable
class Backups(Files, Protocol):
    """Checkpoints that are only needed until the end of the training is saved elsewhere."""

    def remove(self) -> None:
        """Removes all of them."""


class ModelAdapter:
    """Gives the engine the step, the loss, the variables and the files of a model.

    Args:
      model: The model, compiled under the strategy that trains it.

    Attributes:
      model: The model.
      counts_examples: Whether `sample` has examples and losses, which a progress line shows.
    """

    counts_examples = False

    def __init__(self, model: keras.Model) -> None:
        self.model = model

    def step(self) -> int:
        """Returns the number of steps that the model has been trained for."""
        if not chosen_keras.is_on_tensorflow():
            return self.model.step()
        return int(self.model.optimizer.iterations.numpy())

    def sample(self) -> progress.Sample:
        """Returns a sample of the training now. Safe to call while steps run."""
        return progress.take(self.step(), (), 0.0)

    def has_diverged(self, sample: progress.Sample, logs: Mapping[str, Any] | None) -> bool:
        """Returns whether the loss is NaN.

        Keras logs the running mean of an epoch's losses, which stays NaN after the first NaN.

        Args:
          sample: The latest sample.
          logs: The logs that Keras passes to callbacks. None in the thread of a coordinator, which
            gets no logs.
        """
        del sample
        if logs is None:
            logs = {
                metric.name: metric.result()
                for metric in self.model.metrics
                if metric.name == "loss"
            }
        return bool(np.isnan(logs.get("loss", 0.0)))

    def files(self, model_dir: str, keep: int | None, task: str) -> Files:
        """Returns the checkpoints of the model.

        Args:
          model_dir: The folder of the training.
          keep: The number of checkpoints to keep. None keeps all.
          task: The name of this task.
        """
        writes = self.model.distribute_strategy.extended.should_checkpoint
        return checkpoints.Checkpoints(self.model, model_dir, keep, writes, task)

    def latest(self, model_dir: str) -> str | None:
        """Returns the path of the latest checkpoint, or None."""
        return checkpoints.latest(model_dir)

    def restore(self, model_dir: str) -> None:
        """Restores the newest checkpoint whose files are whole. The folder must have one.

        Args:
          model_dir: The folder of the training.

        Raises:
          CheckpointError: The checkpoint is of another model, or all checkpoints are damaged.
        """
        restoring.restore(self.model, model_dir)

    def build(self, data: tf.data.Dataset, training: bool) -> None:
        """Creates the variables for such data, and restores them if a checkpoint waits for them."""
        step = self.model.train_step if training else self.model.test_step
        restoring.prepare(self.model, step, data.element_spec)

    def results(self) -> dict[str, Any]:
        """Returns the metrics of an evaluation that this process has run batch by batch."""
        return self.model.get_metrics_result()

    def load(self, path: str) -> int | None:
        """Loads the weights and the step of a checkpoint, and returns the step.

        Returns None if the checkpoint has been deleted or is damaged.
        """
        step = checkpoints.restore_for_evaluation(self.model, path)
        if step is not None:
            self.model.optimizer.iterations.assign(step)
        return step

    def export(self, folder: str, serving: Callable[..., Any]) -> bytes:
        """Exports the model into a new folder inside `folder`, and returns its path."""
        return signatures.export(self.model, folder, serving)
