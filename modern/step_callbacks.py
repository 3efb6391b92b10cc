"""What an Estimator's hooks did at its steps, as callbacks: it saved, and ended at a loss of NaN.

    model.fit(data, callbacks=[StopAtNan(), SaveCheckpoints("model_dir", save_secs=600)])

Ported programs have them from modern.porting.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from modern.checkpoints import Checkpoints
from modern.cluster import tf_config


class StopAtNan(tf_keras.callbacks.Callback):
    """Ends a training whose loss is not a number, as a NanTensorHook; infinity is one.

    Args:
      fails: whether by an error, as NanTensorHook's `fail_on_nan_loss`.
    """

    def __init__(self, fails: bool = True) -> None:
        super().__init__()
        self._fails = fails

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Looks at the loss; its running mean is not a number once the loss is not.

        Raises:
          tf.compat.v1.train.NanLossDuringTrainingError: it is so.
        """
        if self.wishes(logs or {}):
            self.model.stop_training = True

    def wishes(self, logs: Mapping[str, Any]) -> bool:
        """Whether the training is to end.

        Args:
          logs: with the loss, if there is one.

        Raises:
          tf.compat.v1.train.NanLossDuringTrainingError: it is so, and that is an error.
        """
        if not np.isnan(logs.get("loss", 0.0)):
            return False
        tf.compat.v1.logging.error("Model diverged with loss = NaN.")
        if self._fails:
            raise tf.compat.v1.train.NanLossDuringTrainingError
        return True


class SaveCheckpoints(tf_keras.callbacks.Callback):
    """Saves when an Estimator does: at the start, regularly, at the end.

    At the start only a model is saved whose variables are there.

    Args:
      model_dir: the folder.
      save_steps: after how many steps; RunConfig's `save_checkpoints_steps`.
      save_secs: after how many seconds; RunConfig's `save_checkpoints_secs`. With neither nothing
        is saved, as under a RunConfig that has neither.
      keep: how many checkpoints, the latest ones; None or 0 for all. RunConfig's
        `keep_checkpoint_max`.
    """

    def __init__(
        self,
        model_dir: str,
        save_steps: int | None = None,
        save_secs: float | None = None,
        keep: int | None = 5,
    ) -> None:
        super().__init__()
        saves = save_steps is not None or save_secs is not None
        self._folder = model_dir if saves else None
        self._steps, self._secs, self._keep = save_steps, save_secs, keep or None
        self._step, self._time = -1, 0.0
        self._checkpoints: Checkpoints | None = None

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self.save(self.step())

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves, if it is due."""
        step = self.step()
        if self.due_by_step(step) or self.due_by_time():
            self.save(step)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self.save(self.step())
        self.close()

    def due_by_step(self, step: int) -> bool:
        """Whether a checkpoint is due at a step; the same on every worker of a ring."""
        return self._steps is not None and step - self._step >= self._steps

    def due_by_time(self) -> bool:
        """Whether a checkpoint is due by now; workers may differ."""
        return self._secs is not None and time.monotonic() - self._time >= self._secs

    def save(self, step: int) -> None:
        """Writes a checkpoint of this step, unless there is one."""
        if self._folder and step != self._step:
            self.write(self._folder, self._keep)
        self._step, self._time = step, time.monotonic()

    def step(self) -> int:
        """The steps that the model has been trained for."""
        return int(self.model.optimizer.iterations.numpy())

    def write(self, folder: str, keep: int | None) -> None:
        """Writes a checkpoint, and removes old ones.

        Args:
          folder: the training's.
          keep: how many are to stay; None for all.
        """
        if not self.model.built:
            return  # There is nothing to save; what is restored later is in its own checkpoint.
        if self._checkpoints is None:
            writes = self.model.distribute_strategy.extended.should_checkpoint
            self._checkpoints = Checkpoints(self.model, folder, keep, writes, _task())
        self._checkpoints.save()

    def close(self) -> None:
        """After the last save: removes what a task of a ring wrote only to take part."""
        if self._checkpoints and not self.model.distribute_strategy.extended.should_checkpoint:
            self._checkpoints.close()
            self._checkpoints = None


def _task() -> str:
    """This task's name, for its temporary folder."""
    config = tf_config.load()
    return config.name if config else ""


class CountSteps(tf_keras.callbacks.Callback):
    """Has an optimizer count the batches that it was trained on.

    `fit` notices that data of unknown length have ended within a step, which has been counted by
    then (seen in tf_keras 2.21: 5 steps for 4 batches).
    """

    def __init__(self) -> None:
        super().__init__()
        self._begun, self._epochs, self._in_epoch = 0, 0, 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Notes the step."""
        self._begun, self._epochs, self._in_epoch = self._counted(), 0, 0

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Notes what the last epoch had."""
        self._epochs, self._in_epoch = self._epochs + self._in_epoch, 0

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Counts."""
        self._in_epoch = batch + 1

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Takes a step back that there was no batch for."""
        step = self._begun + self._epochs + self._in_epoch
        if self._in_epoch and self._counted() == step + 1:
            self.model.optimizer.iterations.assign(step)

    def _counted(self) -> int:
        return int(self.model.optimizer.iterations.numpy())


class Profile(tf_keras.callbacks.Callback):
    """Profiles a step now and then, as a ProfilerHook did; TensorBoard's profiler shows it.

    The first step is left out, in which TensorFlow makes its graphs.

    Args:
      folder: where the profiles go, below plugins/profile.
      every_steps: after how many steps.
      every_secs: after how many seconds.
    """

    def __init__(
        self, folder: str, every_steps: int | None = None, every_secs: float | None = None
    ) -> None:
        super().__init__()
        self._folder, self._steps, self._secs = folder, every_steps, every_secs
        self._done, self._runs = 0, False
        self._last: tuple[int, float] | None = None

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Begins, if it is due."""
        self._runs = self._done > 0 and self._is_due(time.monotonic())
        if self._runs:
            self._last = self._done, time.monotonic()
            tf.profiler.experimental.start(self._folder)

    def _is_due(self, now: float) -> bool:
        if self._last is None:
            return True
        step, begun = self._last
        by_steps = self._steps is not None and self._done - step >= self._steps
        return by_steps or (self._secs is not None and now - begun >= self._secs)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes the profile of this step."""
        self._done += 1
        if self._runs:
            tf.profiler.experimental.stop()
            self._runs = False
