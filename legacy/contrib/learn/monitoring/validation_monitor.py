"""ValidationMonitor: evaluates during a training, and stops it early.

monitor = ValidationMonitor(input_fn=eval_input_fn, every_n_steps=100, early_stopping_rounds=500)
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.monitoring.base import EveryN
from legacy.estimator.estimator import Estimator as CoreEstimator

tf1 = tf.compat.v1


class ValidationMonitor(EveryN):
    """Evaluates each new checkpoint during the training, and may stop it early.

    Args:
      x: Features as arrays, instead of `input_fn`.
      y: Labels as arrays.
      input_fn: Input function of the evaluation.
      batch_size: Number of examples in a batch, for arrays.
      eval_steps: Number of batches. None evaluates until the input ends.
      every_n_steps: Number of steps between two checks for a checkpoint.
      metrics: `MetricSpec`s by name.
      hooks: `SessionRunHook`s for the evaluation.
      early_stopping_rounds: Number of steps without a better result after which to stop. None never
        stops.
      early_stopping_metric: Name of the metric that decides.
      early_stopping_metric_minimize: If true, a smaller value is better.
      name: Suffix of the event file's folder.
      check_interval_secs: Minimum number of seconds between two checks. None is no minimum.

    Raises:
      ValueError: `x` and `input_fn` are both None.
    """

    def __init__(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Callable[[], Any] | None = None,
        batch_size: int | None = None,
        eval_steps: int | None = None,
        every_n_steps: int = 100,
        metrics: dict[Any, Any] | None = None,
        hooks: Iterable[Any] | None = None,
        early_stopping_rounds: int | None = None,
        early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True,
        name: str | None = None,
        check_interval_secs: float | None = 5,
    ) -> None:
        # -1: the first steps do not count.
        super().__init__(every_n_steps=every_n_steps, first_n_steps=-1)
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self.x = x
        self.y = y
        self.input_fn = input_fn
        self.batch_size = batch_size
        self.eval_steps = eval_steps
        self.metrics = metrics
        self.hooks = hooks
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_metric = early_stopping_metric
        self.early_stopping_metric_minimize = early_stopping_metric_minimize
        self.name = name
        self._check_interval_secs = check_interval_secs
        self._checked_at: float | None = None
        self._latest_path: str | None = None
        self._early_stopped = False
        self._best_step: int | None = None
        self._best_value: Any = None
        self._best_metrics: dict[str, Any] | None = None

    @property
    def early_stopped(self) -> bool:
        """True if the monitor has stopped the training."""
        return self._early_stopped

    @property
    def best_step(self) -> int | None:
        """The step of the best result."""
        return self._best_step

    @property
    def best_value(self) -> Any:
        """The best value of `early_stopping_metric`."""
        return self._best_value

    @property
    def best_metrics(self) -> dict[str, Any] | None:
        """All metrics of the best result."""
        return self._best_metrics

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Evaluates a new checkpoint if it exists.

        Args:
          step: Number of the step.
          outputs: Not used.

        Returns:
          True to stop the training.

        Raises:
          ValueError: `early_stopping_metric` is missing, or `set_estimator` was not called.
        """
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        now = time.time()
        wait = self._check_interval_secs
        if None not in (wait, self._checked_at) and now - self._checked_at <= wait:
            return False
        self._checked_at = now
        path = tf1.train.latest_checkpoint(self._estimator.model_dir)
        if path is None or path == self._latest_path:
            return False
        self._latest_path = path
        results = self._evaluate()
        text = ", ".join(f"{name} = {value!s}" for name, value in results.items())
        tf1.logging.info("Validation (step %d): %s", step, text)
        return self.early_stopping_rounds is not None and self._should_stop(step, results)

    def _evaluate(self) -> dict[str, Any]:
        common = {
            "input_fn": self.input_fn,
            "steps": self.eval_steps,
            "hooks": self.hooks,
            "name": self.name,
        }
        old = {"x": self.x, "y": self.y, "batch_size": self.batch_size, "metrics": self.metrics}
        if not isinstance(self._estimator, CoreEstimator):
            return self._estimator.evaluate(**common, **old)
        if any(value is not None for value in old.values()):
            raise ValueError(
                "tf.estimator.Estimator does not support following arguments: x, y, batch_size, "
                "metrics. Should set as `None` in ValidationMonitor"
            )
        return self._estimator.evaluate(**common)

    def _should_stop(self, step: int, results: dict[str, Any]) -> bool:
        if self.early_stopping_metric not in results:
            raise ValueError(
                f"Metric {self.early_stopping_metric} missing from outputs {set(results)}."
            )
        value = results[self.early_stopping_metric]
        smaller = self.early_stopping_metric_minimize
        if self._best_value is None or (
            value < self._best_value if smaller else value > self._best_value
        ):
            self._best_value = value
            self._best_metrics = copy.deepcopy(results)
            self._best_step = step
        if step - self._best_step < self.early_stopping_rounds:
            return False
        tf1.logging.info(
            "Stopping. Best step: %d with %s = %s.",
            self._best_step,
            self.early_stopping_metric,
            self._best_value,
        )
        self._early_stopped = True
        return True
