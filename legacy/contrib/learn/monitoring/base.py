"""Base classes of monitors, which are called around each step, or every N steps.

class Mine(EveryN):
    def every_n_step_end(self, step, outputs): ...
"""

from __future__ import annotations

from typing import Any


class BaseMonitor:
    """Base class of monitors. A subclass overrides the methods that it needs."""

    def __init__(self) -> None:
        self._begun = False
        self._current_step: int | None = None
        self._max_steps: int | None = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """True if the monitor runs on every worker. False if it runs on the chief only."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Sets the Estimator that trains.

        Args:
          estimator: The Estimator.

        Raises:
          ValueError: `estimator` is None.
        """
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Called when the training begins.

        Args:
          max_steps: Last step, or None if it is unknown.

        Raises:
          ValueError: The previous training has not ended.
        """
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._max_steps = max_steps
        self._begun = True

    def end(self, session: Any = None) -> None:
        """Called when the training has ended.

        Args:
          session: The session.

        Raises:
          ValueError: No training has begun.
        """
        if not self._begun:
            raise ValueError("end called without begin.")
        self._max_steps = None
        self._begun = False

    def step_begin(self, step: int) -> list[Any]:
        """Called before each step.

        Args:
          step: Number of the step.

        Returns:
          Tensors, or names of tensors, that the step computes in addition.

        Raises:
          ValueError: The step is out of range.
        """
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Called after each step.

        Args:
          step: Number of the step.
          output: Values by requested tensor.

        Returns:
          True to stop the training.

        Raises:
          ValueError: The step is not the step that began.
        """
        if self._current_step != step:
            raise ValueError(f"step_end expected {self._current_step} but got {step}.")
        self._current_step = None
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Called after `step_end`, with the session.

        Args:
          step: Number of the step.
          session: The session.
        """


class EveryN(BaseMonitor):
    """A monitor for the first steps, then every N steps, and the last step.

    Args:
      every_n_steps: Number of steps between two calls.
      first_n_steps: Number of steps at the beginning that count as well.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps = every_n_steps
        self._first_n_steps = first_n_steps
        self._last_successful_step: int | None = None
        self._last_active_step = 0
        self._every_n_step_begin_called = False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Called as `step_begin`, in the selected steps only.

        Args:
          step: Number of the step.
        """
        return []

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Called as `step_end`, in the selected steps only.

        Args:
          step: Number of the step.
          outputs: Values by requested tensor.
        """
        return False

    def every_n_post_step(self, step: int, session: Any) -> None:
        """Called as `post_step`, in the selected steps only.

        Args:
          step: Number of the step.
          session: The session.
        """

    def step_begin(self, step: int) -> list[Any]:
        """Calls `every_n_step_begin` if the step is selected.

        Args:
          step: Number of the step.
        """
        super().step_begin(step)
        is_last = self._max_steps is not None and step == self._max_steps
        due = step >= self._every_n_steps + self._last_active_step
        if step <= self._first_n_steps or due or is_last:
            self._every_n_step_begin_called = True
            return self.every_n_step_begin(step)
        self._every_n_step_begin_called = False
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Calls `every_n_step_end` if the step is selected.

        Args:
          step: Number of the step.
          output: Values by requested tensor.
        """
        super().step_end(step, output)
        if self._every_n_step_begin_called:
            return self.every_n_step_end(step, output)
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Calls `every_n_post_step` if the step is selected.

        Args:
          step: Number of the step.
          session: The session.
        """
        super().post_step(step, session)
        if self._every_n_step_begin_called:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        """Calls `every_n_post_step` for the last step, if that was not selected.

        Args:
          session: The session.
        """
        super().end(session)
        if self._last_successful_step not in (None, self._last_active_step):
            self.every_n_post_step(self._last_successful_step, session)
