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
    """Stops after so many steps.

    Args:
      num_steps: How many, counted from the first that it sees.
      last_step: Or the last one's number.

    Raises:
      ValueError: Both are given, or none.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        super().__init__()
        if (num_steps is None) == (last_step is None):
            raise ValueError("Exactly one of num_steps and last_step must be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    @property
    def run_on_all_workers(self) -> bool:
        """It does."""
        return True

    def step_begin(self, step: int) -> list[Any]:
        """Works out the last step.

        Args:
          step: The step's number.
        """
        super().step_begin(step)
        if self._last_step is None:
            self._last_step = step + self._num_steps - 1
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Says whether that was the last step.

        Args:
          step: The step's number.
          output: Not used.
        """
        super().step_end(step, output)
        return step >= self._last_step


class PrintTensor(EveryN):
    """Logs tensors.

    Args:
      tensor_names: Names of tensors, as a list, or a dict from what is printed to the name.
      every_n: Steps from one time to the next.
      first_n: How many of the first steps count as well.
    """

    def __init__(self, tensor_names: Any, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        named = isinstance(tensor_names, dict)
        self._tensor_names = tensor_names if named else {name: name for name in tensor_names}

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Asks for the tensors.

        Args:
          step: The step's number.
        """
        return list(self._tensor_names.values())

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Logs them.

        Args:
          step: The step's number.
          outputs: The tensors' values.
        """
        described = [
            f"{tag} = {outputs[name]}"
            for tag, name in self._tensor_names.items()
            if name in outputs
        ]
        tf1.logging.info("Step %d: %s", step, ", ".join(described))
        return False


class CaptureVariable(EveryN):
    """Keeps a variable's values.

    Args:
      var_name: Its name.
      every_n: Steps from one time to the next.
      first_n: How many of the first steps count as well.
    """

    def __init__(self, var_name: str, every_n: int = 100, first_n: int = 1) -> None:
        super().__init__(every_n, first_n)
        self._var_name = var_name
        self._var_values: dict[int, Any] = {}

    @property
    def values(self) -> dict[int, Any]:
        """By step, the value."""
        return self._var_values

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Asks for the variable.

        Args:
          step: The step's number.
        """
        return [self._var_name]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Keeps its value.

        Args:
          step: The step's number.
          outputs: The variable's value.
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
