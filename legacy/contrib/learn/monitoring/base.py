"""What monitors are made of: told before and after each step, or every so many.

class Mine(EveryN):
    def every_n_step_end(self, step, outputs): ...
"""

from __future__ import annotations

from typing import Any


class BaseMonitor:
    """Is told before and after each step. A subclass overrides what it needs."""

    def __init__(self) -> None:
        self._begun = False
        self._current_step: int | None = None
        self._max_steps: int | None = None
        self._estimator: Any = None

    @property
    def run_on_all_workers(self) -> bool:
        """Whether it runs on every worker; else on the chief alone."""
        return False

    def set_estimator(self, estimator: Any) -> None:
        """Is told which Estimator trains.

        Args:
          estimator: The Estimator.

        Raises:
          ValueError: It is None.
        """
        if estimator is None:
            raise ValueError("Missing estimator.")
        self._estimator = estimator

    def begin(self, max_steps: int | None = None) -> None:
        """Is told that a training begins.

        Args:
          max_steps: Where it ends, if that is known.

        Raises:
          ValueError: The training before has not ended.
        """
        if self._begun:
            raise ValueError("begin called twice without end.")
        self._max_steps = max_steps
        self._begun = True

    def end(self, session: Any = None) -> None:
        """Is told that the training has ended.

        Args:
          session: The session.

        Raises:
          ValueError: There was none.
        """
        if not self._begun:
            raise ValueError("end called without begin.")
        self._max_steps = None
        self._begun = False

    def step_begin(self, step: int) -> list[Any]:
        """Is told that a step begins.

        Args:
          step: Its number.

        Returns:
          What the step is to compute beside: tensors or names.

        Raises:
          ValueError: There is no such step.
        """
        if step < 0 or (self._max_steps is not None and step > self._max_steps):
            raise ValueError(f"Invalid step {step}.")
        self._current_step = step
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Is told that a step has ended.

        Args:
          step: Its number.
          output: By what was asked for, the values.

        Returns:
          Whether to stop the training.

        Raises:
          ValueError: It is another step than that which began.
        """
        if self._current_step != step:
            raise ValueError(f"step_end expected {self._current_step} but got {step}.")
        self._current_step = None
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Is told after `step_end`, with the session.

        Args:
          step: The step's number.
          session: The session.
        """


class EveryN(BaseMonitor):
    """Does something in the first steps, then every so many, and in the last.

    Args:
      every_n_steps: Steps from one time to the next.
      first_n_steps: How many of the first steps count as well.
    """

    def __init__(self, every_n_steps: int = 100, first_n_steps: int = 1) -> None:
        super().__init__()
        self._every_n_steps = every_n_steps
        self._first_n_steps = first_n_steps
        self._last_successful_step: int | None = None
        self._last_active_step = 0
        self._every_n_step_begin_called = False

    def every_n_step_begin(self, step: int) -> list[Any]:
        """As `step_begin`, in those steps alone.

        Args:
          step: The step's number.
        """
        return []

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """As `step_end`, in those steps alone.

        Args:
          step: The step's number.
          outputs: By what was asked for, the values.
        """
        return False

    def every_n_post_step(self, step: int, session: Any) -> None:
        """As `post_step`, in those steps alone.

        Args:
          step: The step's number.
          session: The session.
        """

    def step_begin(self, step: int) -> list[Any]:
        """Calls `every_n_step_begin` where it is time.

        Args:
          step: The step's number.
        """
        super().step_begin(step)
        last = self._max_steps is not None and step == self._max_steps
        due = step >= self._every_n_steps + self._last_active_step
        if step <= self._first_n_steps or due or last:
            self._every_n_step_begin_called = True
            return self.every_n_step_begin(step)
        self._every_n_step_begin_called = False
        return []

    def step_end(self, step: int, output: dict[Any, Any]) -> bool:
        """Calls `every_n_step_end` where it is time.

        Args:
          step: The step's number.
          output: By what was asked for, the values.
        """
        super().step_end(step, output)
        if self._every_n_step_begin_called:
            return self.every_n_step_end(step, output)
        return False

    def post_step(self, step: int, session: Any) -> None:
        """Calls `every_n_post_step` where it is time.

        Args:
          step: The step's number.
          session: The session.
        """
        super().post_step(step, session)
        if self._every_n_step_begin_called:
            self.every_n_post_step(step, session)
            self._last_active_step = step
        self._last_successful_step = step

    def end(self, session: Any = None) -> None:
        """Is told that the training has ended; the last step counts.

        Args:
          session: The session.
        """
        super().end(session)
        if self._last_successful_step not in (None, self._last_active_step):
            self.every_n_post_step(self._last_successful_step, session)
