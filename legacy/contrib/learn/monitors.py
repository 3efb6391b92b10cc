"""Monitors: the predecessors of SessionRunHooks.

monitor = ValidationMonitor(input_fn=eval_input_fn, every_n_steps=100)
estimator.fit(input_fn=train_input_fn, steps=2000, monitors=[monitor])
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.learn.monitoring.base import BaseMonitor, EveryN
from legacy.contrib.learn.monitoring.hooks import (
    RunHookAdapterForMonitors,
    replace_monitors_with_hooks,
)
from legacy.contrib.learn.monitoring.validation_monitor import ValidationMonitor

tf1 = tf.compat.v1


class StopAtStep(BaseMonitor):
    """Stops the training after a number of steps, or at a step.

    Args:
      num_steps: Number of steps, counted from the first step that the monitor sees.
      last_step: Number of the last step.

    Raises:
      ValueError: Both arguments are set, or neither.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        super().__init__()
        if (num_steps is None) == (last_step is None):
            raise ValueError("Exactly one of num_steps and last_step must be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    @property
    def run_on_all_workers(self) -> bool:
        """True, because every worker must stop."""
        return True

    def step_begin(self, step: int) -> list[Any]:
        """Computes the last step.

        Args:
          step: Number of the step.
        """
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + self._num_steps - 1
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Returns true after the last step.

        Args:
          step: Number of the step.
          output: Not used.
        """
        super().step_end(step, output)
        return step >= self._last_step


class PrintTensor(EveryN):
    """Logs tensors.

    Args:
      tensor_names: List of tensor names, or a dict from printed names to tensor names.
      every_n: Number of steps between two log lines.
      first_n: Number of steps at the beginning that are logged as well.
    """

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        has_names = isinstance(tensor_names, dict)
        self._tensor_names = tensor_names if has_names else {name: name for name in tensor_names}

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Requests the tensors.

        Args:
          step: Number of the step.
        """
        return list(self._tensor_names.values())

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Logs the tensors.

        Args:
          step: Number of the step.
          outputs: Values of the tensors.
        """
        texts = [
            f"{tag} = {outputs[name]}"
            for tag, name in self._tensor_names.items()
            if name in outputs
        ]
        tf1.logging.info("Step %d: %s", step, ", ".join(texts))
        return False


class CaptureVariable(EveryN):
    """Stores the values of a variable.

    Args:
      var_name: Name of the variable.
      every_n: Number of steps between two values.
      first_n: Number of steps at the beginning whose values are stored as well.
    """

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._var_values: dict[int, Any] = {}

    @property
    def values(self) -> dict[int, Any]:
        """Values by step."""
        return self._var_values

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Requests the variable.

        Args:
          step: Number of the step.
        """
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Stores the value.

        Args:
          step: Number of the step.
          outputs: Value of the variable.
        """
        self._var_values[step] = outputs[self._var_name]
        return False


NanLossDuringTrainingError = tf1.train.NanLossDuringTrainingError

__getattr__ = _missing.attribute_of("learn.monitors")

__all__ = [
    "BaseMonitor",
    "CaptureVariable",
    "EveryN",
    "NanLossDuringTrainingError",
    "PrintTensor",
    "RunHookAdapterForMonitors",
    "StopAtStep",
    "ValidationMonitor",
    "replace_monitors_with_hooks",
]
