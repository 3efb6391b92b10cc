"""Saving and stopping between two steps of a training.

Keras calls `BetweenSteps` after each execution. Under ParameterServerStrategy a coordinator only
schedules steps, and Keras has no callbacks for single steps. There a thread calls `check_in_thread`
several times a second. In the same way, an Estimator's chief saved while its workers trained.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from typing import Any

from modern.process import malloc
from modern.process.chosen_keras import keras
from modern.records import progress
from modern.training.adapter import ModelAdapter
from modern.training.agreement import Agreement
from modern.training.interruption import Interruption
from modern.training.saving import SaveError, Saver
from modern.training.stopping import DivergedError, Stop

# Executions between two agreements of the workers on saving and stopping. Each agreement costs an
# exchange of a few numbers over the network.
_AGREE_EVERY = 10


class BetweenSteps(keras.callbacks.Callback):
    """Saves and stops a training when it is due, on all workers at the same step.

    Args:
      adapter: The adapter of the model.
      interruption: Records signals. A signal ends the training.
      savers: The savers of the training, each with its own rule.
      stops: Objects that may request the end of the training, such as early stopping.
      agreement: The agreement of the workers.
      sample: Takes a sample of the training now.
      can_save: Returns whether a coordinator can save now. If not, it saves later.

    Attributes:
      failure: The error that ends the training, or None. Nothing is saved after a DivergedError.
      has_stopped: Whether the end was requested or the training has failed.
    """

    def __init__(
        self,
        adapter: ModelAdapter,
        interruption: Interruption,
        savers: Sequence[Saver],
        stops: Sequence[Stop],
        agreement: Agreement,
        sample: Callable[[], progress.Sample],
        can_save: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__()
        self._adapter, self._interruption, self._agreement = adapter, interruption, agreement
        self._savers, self._stops, self._sample = savers, stops, sample
        self._can_save = can_save
        self._executions = 0
        self.failure: BaseException | None = None
        self.has_stopped = False

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves and stops, after each execution of `steps_per_execution` steps."""
        if self._executions == 0:
            malloc.tune()  # TensorFlow resets it for each new iterator.
        self._executions += 1
        sample = self._sample()
        step = sample.step
        is_nan = self._adapter.has_diverged(sample, logs)
        wants_end = self.has_stopped or self.model.stop_training
        due = [saver.is_due_by_step(step) for saver in self._savers]
        asks_stops = any(stop.is_due_by_step(step) for stop in self._stops)
        # If a checkpoint is due by step, all workers know it and agree here before any of them
        # saves.
        has_to_agree = any(due) or asks_stops or self._executions % _AGREE_EVERY == 0
        if self._agreement.is_needed and not has_to_agree:
            self.model.stop_training = False  # No worker stops alone. The wish is kept.
            self.has_stopped = wants_end
            return
        wants_end = wants_end or any(stop.wishes(step) for stop in self._stops)
        *by_time, is_nan, is_interrupted, wants_end = self._agreement.any_of(
            [
                *(saver.is_due_by_time() for saver in self._savers),
                is_nan,
                bool(self._interruption.signum),
                wants_end,
            ]
        )
        if is_interrupted and not self._interruption.signum:
            self._interruption.signum = signal.SIGTERM  # Another worker got the signal.
        if is_nan:
            self.failure = DivergedError(step, "loss")
        else:
            self._save([a or b for a, b in zip(due, by_time, strict=True)], step)
        self.has_stopped = bool(wants_end or is_interrupted or self.failure)
        self.model.stop_training = self.has_stopped

    def check_in_thread(self, sample: progress.Sample) -> bool:
        """Saves and stops the training of a coordinator when it is due, from another thread.

        A wish ends the training at the end of the epoch. A signal or a failure ends it at once,
        while the workers still run the scheduled steps.

        Returns:
          Whether the training goes on. If not, the main thread has left it, and this thread must
          no longer use TensorFlow.
        """
        step = sample.step
        try:
            if self._adapter.has_diverged(sample, None):
                raise DivergedError(step, "loss")
            due = [saver.is_due_by_step(step) or saver.is_due_by_time() for saver in self._savers]
            if any(due) and self._can_save():
                self._save(due, step)
            if any(stop.wishes(step) for stop in self._stops):
                self.has_stopped = self._adapter.model.stop_training = True
        except Exception as error:  # noqa: BLE001 - `Trainer` raises it in the main thread.
            self.failure = error
        if self.failure or self._interruption.signum:
            # The main thread may still schedule steps. Then it waits for the workers.
            self._adapter.model.stop_training = True
            self._interruption.wake_until_left()
            return False
        return True

    def stops_again(self) -> keras.callbacks.Callback:
        """Returns a callback that ends an epoch whose end was requested before it began.

        `fit` resets `stop_training` when it begins.
        """

        def on_epoch_begin(epoch: int, logs: Any) -> None:
            callback.model.stop_training = callback.model.stop_training or self.has_stopped

        callback = keras.callbacks.LambdaCallback(on_epoch_begin=on_epoch_begin)
        return callback

    def _save(self, due: Sequence[bool], step: int) -> None:
        try:
            for saver, is_due in zip(self._savers, due, strict=True):
                if is_due:
                    saver.save(step)
        except (SaveError, DivergedError) as error:
            self.failure = error
