"""Callbacks that end a training by its evaluations, as tf.estimator.experimental's hooks did.

    stop = StopIfNoDecrease("loss", max_steps_without_decrease=1000)
    porting.train_and_evaluate(model, ..., callbacks=[*porting.callbacks(model), stop])

The evaluations are read from the summaries in MODEL_DIR/eval, which another process may write; the
folder is that of the model. What
is strict there is strict here: an evaluation that is equal to the best is no better.
https://www.tensorflow.org/guide/migrate/early_stopping
"""

from __future__ import annotations

import abc
import operator
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from modern import model_dirs, summaries


def folder_of(model_dir: str, name: str | None = None) -> str:
    """Returns where the summaries of evaluations are, as Estimator.eval_dir.

    Args:
      model_dir: of the training.
      name: EvalSpec's name.
    """
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


class EarlyStopping(tf_keras.callbacks.Callback, abc.ABC):
    """Looks at the evaluations now and then, and may end the training.

    Args:
      metric_name: of `evaluate`.
      eval_name: EvalSpec's name, which is part of the folder's.
      eval_dir: the folder of the evaluations, where it is none of the model's folder.
      min_steps: evaluations before this step do not count.
      run_every_secs: seconds between two looks. Not together with the next.
      run_every_steps: steps between them.

    Raises:
      ValueError: not exactly one interval is given.
    """

    def __init__(
        self,
        metric_name: str,
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
                "give exactly one of run_every_secs and run_every_steps; "
                f"they are {run_every_secs} and {run_every_steps}."
            )
        self._eval_dir, self._eval_name = eval_dir, eval_name
        self._metric, self._min_steps = metric_name, min_steps
        self._secs, self._steps = run_every_secs, run_every_steps
        self._looked: tuple[int, float] | None = None

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Ends the training, if that is wished."""
        if self.wishes(int(self.model.optimizer.iterations.numpy())):
            self.model.stop_training = True

    def is_due_by_step(self, step: int) -> bool:
        """Whether it is to look at this step; the same on every worker of a ring."""
        if self._steps is None:
            return False
        return self._looked is None or step - self._looked[0] >= self._steps

    def wishes(self, step: int) -> bool:
        """Looks, if it is due; says whether the training is to end.

        Raises:
          KeyError: the evaluations have no such metric.
        """
        now = time.monotonic()
        by_time = self._secs is not None and (
            self._looked is None or now - self._looked[1] >= self._secs
        )
        if not by_time and not self.is_due_by_step(step):
            return False
        self._looked = step, now
        reason = self._reason()
        if reason:
            tf.compat.v1.logging.info("Stopping early at step %d: %s", step, reason)
        return bool(reason)

    @abc.abstractmethod
    def _reason(self) -> str:
        """Why the training is to end; "" where it is not."""

    @property
    def _folder(self) -> str:
        """Where the evaluations of the model are."""
        return self._eval_dir or folder_of(model_dirs.of(self.model) or "", self._eval_name)

    def _values(self) -> Iterator[tuple[int, float]]:
        """Yields the step and the metric of each evaluation that counts."""
        for step, metrics in summaries.read(self._folder).items():
            if step < self._min_steps:
                continue
            if self._metric not in metrics:
                raise KeyError(
                    f"metric_name={self._metric!r} is not among the metrics of the evaluation at "
                    f"step {step} in {self._folder}: {sorted(metrics)}"
                )
            yield step, metrics[self._metric]


class _Crossed(EarlyStopping):
    """Ends a training when the metric was beyond a threshold."""

    _is_beyond: Callable[[float, float], bool]

    def __init__(self, metric_name: str, threshold: float, **options: Any) -> None:
        super().__init__(metric_name, **options)
        self._threshold = threshold

    def _reason(self) -> str:
        for step, value in self._values():
            if self._is_beyond(value, self._threshold):
                return (
                    f"{self._metric!r} was {value} at step {step}, beyond the threshold "
                    f"{self._threshold}."
                )
        return ""


class StopIfHigher(_Crossed):
    """Ends a training when a metric was above `threshold`; other arguments as `EarlyStopping`."""

    _is_beyond = staticmethod(operator.gt)


class StopIfLower(_Crossed):
    """Ends a training when a metric was below `threshold`; other arguments as `EarlyStopping`."""

    _is_beyond = staticmethod(operator.lt)


class _Stuck(EarlyStopping):
    """Ends a training when the metric has not become better for so many steps."""

    _is_better: Callable[[float, float], bool]

    def __init__(self, metric_name: str, most: int, **options: Any) -> None:
        super().__init__(metric_name, **options)
        self._most = most

    def _reason(self) -> str:
        best, best_step = None, 0
        for step, value in self._values():
            if best is None or self._is_better(value, best):
                best, best_step = value, step
            if step - best_step >= self._most:
                return (
                    f"{self._metric!r} was best at step {best_step}, {step - best_step} steps "
                    f"before {step}; {self._most} are allowed."
                )
        return ""


class StopIfNoIncrease(_Stuck):
    """Ends a training when a metric has not risen for some steps.

    Args:
      metric_name: as of `EarlyStopping`, and so are the options.
      max_steps_without_increase: how many steps after its best value an evaluation may be.
    """

    _is_better = staticmethod(operator.gt)

    def __init__(self, metric_name: str, max_steps_without_increase: int, **options: Any) -> None:
        super().__init__(metric_name, max_steps_without_increase, **options)


class StopIfNoDecrease(_Stuck):
    """Ends a training when a metric has not fallen for some steps.

    Args:
      metric_name: as of `EarlyStopping`, and so are the options.
      max_steps_without_decrease: how many steps after its best value an evaluation may be.
    """

    _is_better = staticmethod(operator.lt)

    def __init__(self, metric_name: str, max_steps_without_decrease: int, **options: Any) -> None:
        super().__init__(metric_name, max_steps_without_decrease, **options)
