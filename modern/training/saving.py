"""Saves a training by a rule, and retries a failed save.

    saver = Saver(SaveRule(every_steps=100), adapter.files("model_dir", keep=5, task=""))
    saver.begin(0)
    if saver.is_due_by_step(step):
        saver.save(step)

`BetweenSteps` asks the savers of a training after each execution.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

import tensorflow as tf
from absl import logging

from modern.training.adapter import Files
from modern.training.agreement import Agreement
from modern.training.stopping import DivergedError


class SaveError(Exception):
    """A checkpoint could not be written, several times in a row."""


@dataclasses.dataclass(frozen=True)
class SaveRule:
    """A rule that makes a checkpoint due after some steps or seconds, whichever come first.

    An Estimator's CheckpointSaverHook decided in the same way.

    Attributes:
      every_steps: Steps between checkpoints. None sets no such limit.
      every_secs: Seconds between checkpoints. None sets no such limit.
      retry_secs: Seconds until a failed save is retried.
      attempts: The number of failures in a row that ends the training.
    """

    every_steps: int | None = None
    every_secs: float | None = None
    retry_secs: float = 10.0
    attempts: int = 3


class Saver:
    """Saves a training by a rule, and retries a failed save.

    A full disk or a restarted server often recovers within seconds. So a failure is logged, and the
    save is retried after a while. The training ends when several attempts in a row fail.

    Args:
      rule: Decides when a checkpoint is due.
      files: The checkpoints. Under MultiWorkerMirroredStrategy all workers write at the same step.
      agreement: The agreement of the workers. None for a process that trains alone.
      after_save: Called with the step of each new checkpoint.
      is_nan: Returns whether the model is NaN. Such a model is not saved. None skips this check.
    """

    def __init__(
        self,
        rule: SaveRule,
        files: Files,
        agreement: Agreement | None = None,
        after_save: Callable[[int], None] | None = None,
        is_nan: Callable[[], bool] | None = None,
    ) -> None:
        self._rule, self._files, self._after_save = rule, files, after_save
        self._is_nan = is_nan or (lambda: False)
        self._agreement = agreement or Agreement(tf.distribute.get_strategy())
        self._failures = 0
        self._saved: int | None = None
        self._last_step, self._last_time = 0, time.monotonic()

    def begin(self, step: int, save_now: bool = False) -> None:
        """Starts counting at a step.

        Args:
          step: The step at which the training begins.
          save_now: Whether to save now. `after_save` is not called, because no step has been
            trained yet.
        """
        self._last_step, self._last_time = step, time.monotonic()
        self._files.begin(step)
        if save_now:
            self._save(step)

    def is_due_by_step(self, step: int) -> bool:
        """Returns whether a checkpoint is due at a step. The answer is the same on all workers."""
        if self._failures or self._rule.every_steps is None:
            return False
        return step - self._last_step >= self._rule.every_steps

    def is_due_by_time(self) -> bool:
        """Returns whether a checkpoint is due by now. The answer may differ between workers."""
        since = time.monotonic() - self._last_time
        if self._failures:
            return since >= self._rule.retry_secs
        return self._rule.every_secs is not None and since >= self._rule.every_secs

    def save(self, step: int) -> bool:
        """Writes a checkpoint of this step, unless it exists.

        Returns:
          True if a checkpoint of this step exists now. If False, the save will be retried after a
          while.

        Raises:
          SaveError: This was the last attempt.
          DivergedError: The model is NaN.
        """
        if step == self._saved:
            self._last_step, self._last_time = step, time.monotonic()
            return True
        if not self._save(step):
            return False
        if self._after_save:
            self._after_save(step)
        return True

    def _save(self, step: int) -> bool:
        """Makes one attempt, and returns whether it has succeeded."""
        if self._is_nan():
            raise DivergedError(step, "a weight")
        reason = self._attempt()
        self._last_time = time.monotonic()
        if reason is None:
            # With parameter servers, workers go on while the chief saves. A weight that is NaN
            # stays NaN. So if no weight is NaN now, none was NaN in the checkpoint.
            if self._is_nan():
                self._files.discard()
                raise DivergedError(step, "a weight")
            self._files.rotate()
            self._failures, self._saved, self._last_step = 0, step, step
            return True
        self._failures += 1
        if self._failures >= self._rule.attempts:
            raise SaveError(
                f"No checkpoint could be written at step {step}, in {self._failures} attempts: "
                f"{reason}"
            )
        logging.error(
            "No checkpoint could be written at step %d; trying again in %.0f s: %s",
            step,
            self._rule.retry_secs,
            reason,
        )
        return False

    def finish(self, step: int) -> None:
        """Saves the end of a training, and waits between the attempts.

        Raises:
          SaveError: No attempt has succeeded.
          DivergedError: The model is NaN.
        """
        # The end gets the full number of attempts.
        self._failures = 0
        while not self.save(step):
            time.sleep(self._rule.retry_secs)

    def _attempt(self) -> str | None:
        """Writes once. Returns the reason if it failed on any worker, or None."""
        reason = ""
        try:
            self._files.save()
        except (OSError, tf.errors.OpError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        # A worker that does not know of another worker's failure would not take part in the next
        # attempt.
        (has_failed,) = self._agreement.any_of([bool(reason)])
        return (reason or "another worker could not write its part") if has_failed else None
