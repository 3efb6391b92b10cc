"""Callbacks that replace an Estimator's hooks: save, count steps, profile, and stop at NaN.

    model.fit(data, callbacks=[StopAtNan(), SaveCheckpoints("model_dir", save_secs=600)])

Ported programs import them from modern.porting.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from modern.porting.training import cluster_strategy, locked_training
from modern.process.chosen_keras import keras
from modern.training.adapter import ModelAdapter
from modern.training.agreement import Agreement
from modern.training.between_steps import BetweenSteps
from modern.training.interruption import Interruption
from modern.training.saving import SaveError, Saver, SaveRule
from modern.training.stopping import DivergedError, has_nan_weights
from modern.training.trainer import Saving

# The locks that `fit` holds, by folder.
_locks: dict[str, contextlib.ExitStack] = {}


def _unlock(model_dir: str) -> None:
    _locks.pop(model_dir, contextlib.ExitStack()).close()


class StopAtNan(keras.callbacks.Callback):
    """Stops training when the loss becomes NaN. Replaces NanTensorHook.

    Args:
      fails: Whether to raise an error, like `fail_on_nan_loss` of NanTensorHook.

    Attributes:
      fails: Whether to raise an error.
    """

    def __init__(self, fails: bool = True) -> None:
        super().__init__()
        self.fails = fails

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Checks the loss. Its running mean is NaN from the first NaN on.

        Raises:
          DivergedError: The loss is NaN, and `fails` is set.
        """
        if not np.isnan((logs or {}).get("loss", 0.0)):
            return
        tf.compat.v1.logging.error("Model diverged with loss = NaN.")
        if self.fails:
            raise DivergedError(int(self.model.optimizer.iterations.numpy()), "loss")
        self.model.stop_training = True


class SaveCheckpoints(keras.callbacks.Callback):
    """Saves when an Estimator did: at the start, at regular intervals and at the end.

    At the start, a model is saved only if its variables exist. A model with NaN weights is not
    saved.

    Args:
      model_dir: The folder.
      save_steps: Steps between checkpoints, like `save_checkpoints_steps` of RunConfig.
      save_secs: Seconds between checkpoints, like `save_checkpoints_secs` of RunConfig. If neither
        is set, nothing is saved, as under a RunConfig with neither.
      keep: The number of latest checkpoints to keep, like `keep_checkpoint_max` of RunConfig. None
        or 0 keeps all.
    """

    adapter: Callable[[keras.Model], ModelAdapter] = ModelAdapter

    def __init__(
        self,
        model_dir: str,
        save_steps: int | None = None,
        save_secs: float | None = None,
        keep: int | None = 5,
    ) -> None:
        super().__init__()
        self._model_dir, self._keep = model_dir, keep or None
        self._saves = save_steps is not None or save_secs is not None
        self._rule = SaveRule(save_steps, save_secs)

    def saving(
        self,
        adapter: ModelAdapter,
        task: str,
        after_save: Callable[[int], None] | None = None,
    ) -> Saving:
        """Returns these saves for a `Trainer`, which then calls no method of this callback.

        Args:
          adapter: The adapter of the model.
          task: The name of this task.
          after_save: Called with the step of each new checkpoint.
        """
        files = adapter.files(self._model_dir, self._keep, task) if self._saves else _NoFiles()
        return Saving(files, self._rule, at_start=True, after_save=after_save)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Locks the folder, sets up the saves, and saves the start of the training.

        Raises:
          SystemExit: Another run trains in the folder (code 2).
        """
        _unlock(self._model_dir)  # Still locked if an error has ended an earlier `fit`.
        adapter = self.adapter(self.model)
        if self._saves and self.model.distribute_strategy.extended.should_checkpoint:
            lock = _locks.setdefault(self._model_dir, contextlib.ExitStack())
            lock.enter_context(locked_training.held(adapter, self._model_dir))
        config = cluster_strategy.cluster()
        saving = self.saving(adapter, config.name if config else "")
        agreement = Agreement(self.model.distribute_strategy)
        self._files = saving.files
        self._saver = Saver(
            saving.rule, saving.files, agreement, is_nan=lambda: has_nan_weights(self.model)
        )
        self._between = BetweenSteps(
            adapter, Interruption(), [self._saver], [], agreement, adapter.sample
        )
        self._between.set_model(self.model)
        self._saver.begin(adapter.step(), saving.at_start and self.model.built)
        self._adapter = adapter

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves if a checkpoint is due.

        Raises:
          SaveError: Several attempts have failed.
        """
        self._between.on_train_batch_end(batch, logs)
        if isinstance(self._between.failure, SaveError):
            raise self._between.failure

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Saves the end of the training, unless the model is NaN.

        Raises:
          SaveError: Several attempts have failed.
        """
        try:
            if self._between.failure is None:
                self._saver.finish(self._adapter.step())
        except DivergedError:
            pass  # `StopAtNan` decides whether that is an error.
        finally:
            self._files.close()
            _unlock(self._model_dir)


class _NoFiles:
    """Stands in for checkpoints and writes nothing."""

    def begin(self, step: int) -> None:
        pass

    def save(self) -> None:
        pass

    def rotate(self) -> None:
        pass

    def discard(self) -> None:
        pass

    def close(self) -> None:
        pass


class CountSteps(keras.callbacks.Callback):
    """Corrects an optimizer's step to the number of batches that it was trained on.

    `fit` notices the end of data of unknown length within a step, which has been counted by then
    (seen in tf_keras 2.21: 5 steps for 4 batches).
    """

    def __init__(self) -> None:
        super().__init__()
        self._first_step: int | None = None
        self._epochs, self._in_epoch = 0, 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Forgets an earlier training."""
        self._first_step, self._epochs, self._in_epoch = None, 0, 0

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Records the step at the start. Adds the batches of the last epoch."""
        if self._first_step is None:  # Not sooner: `SaveCheckpoints` may restore the model.
            self._first_step = self._optimizer_step()
        self._epochs, self._in_epoch = self._epochs + self._in_epoch, 0

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Counts the batch."""
        self._in_epoch = batch + 1

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Subtracts the last step if it had no batch."""
        step = (self._first_step or 0) + self._epochs + self._in_epoch
        if self._in_epoch and self._optimizer_step() == step + 1:
            self.model.optimizer.iterations.assign(step)

    def _optimizer_step(self) -> int:
        return int(self.model.optimizer.iterations.numpy())


class Profile(keras.callbacks.Callback):
    """Profiles a step at regular intervals, as a ProfilerHook did, for TensorBoard's profiler.

    The first step is skipped, because TensorFlow builds its graphs in it.

    Args:
      folder: The folder of the profiles, which go to plugins/profile in it.
      every_steps: Steps between profiles.
      every_secs: Seconds between profiles.
    """

    def __init__(
        self, folder: str, every_steps: int | None = None, every_secs: float | None = None
    ) -> None:
        super().__init__()
        self._folder, self._steps, self._secs = folder, every_steps, every_secs
        self._done, self._is_profiling = 0, False
        self._last: tuple[int, float] | None = None

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Starts the profiler if a profile is due."""
        self._is_profiling = self._done > 0 and self._is_due(time.monotonic())
        if self._is_profiling:
            self._last = self._done, time.monotonic()
            tf.profiler.experimental.start(self._folder)

    def _is_due(self, now: float) -> bool:
        if self._last is None:
            return True
        step, start = self._last
        by_steps = self._steps is not None and self._done - step >= self._steps
        return by_steps or (self._secs is not None and now - start >= self._secs)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes the profile of this step."""
        self._done += 1
        if self._is_profiling:
            tf.profiler.experimental.stop()
            self._is_profiling = False
