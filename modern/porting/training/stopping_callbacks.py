"""Early stopping callbacks, which replace the hooks of tf.estimator.experimental.

    stop = StopIfNoDecrease("loss", max_steps_without_decrease=1000)
    porting.train_and_evaluate(model, ..., callbacks=[*porting.callbacks(model), stop])

The evaluations are read from the summaries in MODEL_DIR/eval, where MODEL_DIR is the folder of the
model. Another process may write them.
"""

from __future__ import annotations

import operator
import os
import time
from typing import Any

from modern.model_files import model_dirs
from modern.porting.training import program_log
from modern.process.chosen_keras import keras
from modern.training import early_stopping


def folder_of(model_dir: str, name: str | None = None) -> str:
    """Returns the folder of the summaries of evaluations, like Estimator.eval_dir.

    Args:
      model_dir: The folder of the training.
      name: The name in EvalSpec.
    """
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


class EarlyStopping(keras.callbacks.Callback):
    """Reads the evaluations at regular intervals, and may end the training.

    Args:
      rule: Decides by a metric of `evaluate`.
      eval_name: The name in EvalSpec, which is part of the folder's name.
      eval_dir: The folder of the evaluations, if it is not in the model's folder.
      min_steps: Evaluations before this step are ignored.
      run_every_secs: Seconds between two checks. Not together with `run_every_steps`.
      run_every_steps: Steps between two checks.

    Raises:
      ValueError: Both intervals are set, or neither.
    """

    def __init__(
        self,
        rule: early_stopping.Rule,
        *,
        eval_name: str | None = None,
        eval_dir: str | None = None,
        min_steps: int = 0,
        run_every_secs: float | None = 60,
        run_every_steps: int | None = None,
    ) -> None:
        super().__init__()
        if (run_every_secs is None) == (run_every_steps is None):
            raise ValueError(
                f"give exactly one of run_every_secs and run_every_steps, not {run_every_secs} and "
                f"{run_every_steps}."
            )
        self._eval_dir, self._eval_name = eval_dir, eval_name
        self._rule, self._min_steps = rule, min_steps
        self._secs, self._steps = run_every_secs, run_every_steps
        self._last_check: tuple[int, float] | None = None

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Ends the training if the rule decides so."""
        if self.wishes(int(self.model.optimizer.iterations.numpy())):
            self.model.stop_training = True

    def is_due_by_step(self, step: int) -> bool:
        """Returns whether to check at this step. The answer is the same on all workers."""
        if self._steps is None:
            return False
        return self._last_check is None or step - self._last_check[0] >= self._steps

    def wishes(self, step: int) -> bool:
        """Checks the evaluations if that is due, and returns whether the training is to end.

        Raises:
          KeyError: The evaluations have no such metric.
        """
        now = time.monotonic()
        by_time = self._secs is not None and (
            self._last_check is None or now - self._last_check[1] >= self._secs
        )
        if not by_time and not self.is_due_by_step(step):
            return False
        self._last_check = step, now
        reason = self._rule.reason(
            early_stopping.values(self._folder, self._rule.metric, self._min_steps)
        )
        if reason:
            program_log.info("Stopping early at step %d: %s", step, reason)
        return bool(reason)

    @property
    def _folder(self) -> str:
        """The folder of the model's evaluations."""
        return self._eval_dir or folder_of(model_dirs.of(self.model) or "", self._eval_name)


class StopIfHigher(EarlyStopping):
    """Ends a training when a metric has been above a threshold.

    Args:
      metric_name: The name of the metric.
      threshold: The threshold.
      **options: Further arguments of `EarlyStopping`.
    """

    def __init__(self, metric_name: str, threshold: float, **options: Any) -> None:
        super().__init__(early_stopping.Beyond(metric_name, threshold, operator.gt), **options)


class StopIfLower(EarlyStopping):
    """Ends a training when a metric has been below a threshold.

    Args:
      metric_name: The name of the metric.
      threshold: The threshold.
      **options: Further arguments of `EarlyStopping`.
    """

    def __init__(self, metric_name: str, threshold: float, **options: Any) -> None:
        super().__init__(early_stopping.Beyond(metric_name, threshold, operator.lt), **options)


class StopIfNoIncrease(EarlyStopping):
    """Ends a training when a metric has not risen for some steps.

    Args:
      metric_name: The name of the metric.
      max_steps_without_increase: The number of steps after the best value at which it ends.
      **options: Further arguments of `EarlyStopping`.
    """

    def __init__(self, metric_name: str, max_steps_without_increase: int, **options: Any) -> None:
        rule = early_stopping.NoLongerBetter(metric_name, max_steps_without_increase, operator.gt)
        super().__init__(rule, **options)


class StopIfNoDecrease(EarlyStopping):
    """Ends a training when a metric has not fallen for some steps.

    Args:
      metric_name: The name of the metric.
      max_steps_without_decrease: The number of steps after the best value at which it ends.
      **options: Further arguments of `EarlyStopping`.
    """

    def __init__(self, metric_name: str, max_steps_without_decrease: int, **options: Any) -> None:
        rule = early_stopping.NoLongerBetter(metric_name, max_steps_without_decrease, operator.lt)
        super().__init__(rule, **options)
