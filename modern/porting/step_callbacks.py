"""What an Estimator's hooks did at its steps, as callbacks: it saved, and ended at a loss of NaN.

    model.fit(data, callbacks=[StopAtNan(), SaveCheckpoints("model_dir", save_secs=600)])

Ported programs have them from modern.porting.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from modern.cluster import tf_config
from modern.training.adapter import ModelAdapter
from modern.training.agreement import Agreement
from modern.training.between_steps import BetweenSteps
from modern.training.interruption import Interruption
from modern.training.saving import SaveError, Saver, SaveRule
from modern.training.stopping import DivergedError, has_nan_weights
from modern.training.trainer import Saving


class StopAtNan(tf_keras.callbacks.Callback):
    """Ends a training whose loss is NaN, as a NanTensorHook.

    Args:
      fails: Whether by an error, as NanTensorHook's `fail_on_nan_loss`.

    Attributes:
      fails: The same.
    """

    def __init__(self, fails: bool = True) -> None:
        super().__init__()
        self.fails = fails

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Looks at the loss; its running mean is NaN once the loss is.

        Raises:
          DivergedError: It is NaN, and that is an error.
        """
        if not np.isnan((logs or {}).get("loss", 0.0)):
            return
        tf.compat.v1.logging.error("Model diverged with loss = NaN.")
        if self.fails:
            raise DivergedError(int(self.model.optimizer.iterations.numpy()), "loss")
        self.model.stop_training = True


class SaveCheckpoints(tf_keras.callbacks.Callback):
    """Saves when an Estimator does: at the start, regularly, at the end.

    At the start only a model is saved whose variables are there. A model that is NaN is not saved.

    Args:
      model_dir: The folder.
      save_steps: After how many steps; RunConfig's `save_checkpoints_steps`.
      save_secs: After how many seconds; RunConfig's `save_checkpoints_secs`. With neither nothing
        is saved, as under a RunConfig that has neither.
      keep: How many checkpoints, the latest ones; None or 0 for all. RunConfig's
        `keep_checkpoint_max`.
    """

    adapter: Callable[[tf_keras.Model], ModelAdapter] = ModelAdapter

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
        self._between: BetweenSteps | None = None

    def saving(
        self,
        adapter: ModelAdapter,
        task: str,
        after_save: Callable[[int], None] | None = None,
    ) -> Saving:
        """Returns the same for a `Trainer`, which calls no method of this object then.

        Args:
          adapter: Of the model.
          task: The name of this task.
          after_save: Called with the step of each new checkpoint.
        """
        files = adapter.files(self._model_dir, self._keep, task) if self._saves else _NoFiles()
        return Saving(files, self._rule, at_start=True, after_save=after_save)

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        adapter = self.adapter(self.model)
        config = tf_config.load()
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
        """Saves, if it is due.

        Raises:
          SaveError: Several attempts have failed.
        """
        self._between.on_train_batch_end(batch, logs)
        if isinstance(self._between.failure, SaveError):
            raise self._between.failure

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Saves, unless the model is NaN.

        Raises:
          SaveError: Several attempts have failed.
        """
        try:
            if self._between.failure is None:
                self._saver.finish(self._adapter.step())
        except DivergedError:
            pass  # `StopAtNan` says whether that is an error.
        finally:
            self._files.close()


class _NoFiles:
    """Writes nothing."""

    def save(self) -> None:
        pass

    def rotate(self) -> None:
        pass

    def discard(self) -> None:
        pass

    def close(self) -> None:
        pass


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
