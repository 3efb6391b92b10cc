"""Stops workers at a step only when a checkpoint has reached it.

hook = make_stop_at_checkpoint_step_hook(estimator, last_step=1000)
"""

from __future__ import annotations

import time
from typing import Any

import tensorflow as tf

from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1


def make_stop_at_checkpoint_step_hook(
    estimator: Estimator, last_step: int, wait_after_file_check_secs: float = 30
) -> Any:
    """Returns the hook of this task that ends a training at a step.

    Args:
      estimator: The Estimator to be trained.
      last_step: Global step at which training ends.
      wait_after_file_check_secs: Seconds that a worker waits before its next step if no checkpoint
        has reached the last step.

    Returns:
      On the chief, a `StopAtStepHook`. On other tasks, a hook that stops when a checkpoint has
      reached the last step.
    """
    if estimator.config.is_chief:
        return tf1.train.StopAtStepHook(last_step=last_step)
    return StopAtCheckpointStepHook(estimator.model_dir, last_step, wait_after_file_check_secs)


class StopAtCheckpointStepHook(tf1.train.SessionRunHook):
    """Stops when the latest checkpoint has reached a step.

    Args:
      model_dir: Directory of the checkpoints.
      last_step: Global step at which training ends.
      wait_after_file_check_secs: Seconds to wait after each check of the directory.

    Raises:
      ValueError: If `model_dir` or `last_step` is None.
    """

    def __init__(
        self, model_dir: str, last_step: int, wait_after_file_check_secs: float = 30
    ) -> None:
        if last_step is None:
            raise ValueError("last_step must be specified.")
        if model_dir is None:
            raise ValueError("model_dir must be specified.")
        self._model_dir = model_dir
        self._last_step = last_step
        self._wait_after_file_check_secs = wait_after_file_check_secs

    def begin(self) -> None:
        """Looks up the global step.

        Raises:
          RuntimeError: If the graph has no global step.
        """
        self._global_step = tf1.train.get_global_step()
        if self._global_step is None:
            raise RuntimeError("Global step should be created to use StopAtCheckpointStepHook.")

    def before_run(self, run_context: Any) -> Any:
        """Requests the global step from before this step."""
        return tf1.train.SessionRunArgs(self._global_step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Checks the latest checkpoint once the step is reached."""
        if run_values.results + 1 < self._last_step:
            return
        path = tf.train.latest_checkpoint(self._model_dir)
        step = tf.train.load_variable(path, tf1.GraphKeys.GLOBAL_STEP) if path else 0
        if step >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_after_file_check_secs)
