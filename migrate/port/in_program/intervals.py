"""Keeps intervals in seconds from elapsing, so that the speed of a run does not change its results.

`RunConfig(save_checkpoints_secs=30)` and `EvalSpec(throttle_secs=60)` decide by the clock how often
a model is saved, evaluated and exported. So a slower run does it more often. Here a model is saved
and evaluated where its steps require it, and at the end. Intervals of log lines, summaries and
profiles elapse as always.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

# Hooks that only write logs.
_OF_LOGS = ("LoggingTensorHook", "StepCounterHook", "SummarySaverHook", "ProfilerHook")
_PORTING = "modern.porting.training"


def patches(note: Callable[[], None]) -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch timers, by module.

    Args:
      note: Function without arguments. It is called when an interval would have elapsed.
    """
    return {
        "tensorflow.python.training.basic_session_run_hooks": functools.partial(_patch_timer, note),
        "modern.training.saving": functools.partial(_patch_saving, note),
        f"{_PORTING}.evaluations": functools.partial(_patch_evaluation, note),
        f"{_PORTING}.stopping_callbacks": functools.partial(_patch_stopping, note),
    }


def _patch_timer(note: Callable[[], None], module: Any) -> None:
    kind = module.SecondOrStepTimer
    should_trigger = kind.should_trigger_for_step

    @functools.wraps(should_trigger)
    def should_trigger_by_step(self: Any, step: Any) -> Any:
        result = should_trigger(self, step)
        if not result or not self._every_secs or self.last_triggered_step() is None:
            return result
        caller = sys._getframe(1).f_locals.get("self")
        if any(base.__name__ in _OF_LOGS for base in type(caller).__mro__):
            return result
        note()
        return False

    kind.should_trigger_for_step = should_trigger_by_step


def _patch_saving(note: Callable[[], None], module: Any) -> None:
    kind = module.Saver
    is_due_by_time = kind.is_due_by_time

    @functools.wraps(is_due_by_time)
    def is_retry_due(self: Any) -> bool:
        result = bool(is_due_by_time(self))
        if not result or self._failures:
            return result
        note()
        return False

    kind.is_due_by_time = is_retry_due


def _patch_evaluation(note: Callable[[], None], module: Any) -> None:
    kind = module.PeriodicEvaluation
    after_save = kind.after_save

    @functools.wraps(after_save)
    def after_first_save(self: Any, step: int) -> None:
        if self._last is None or not self._throttle_secs:
            after_save(self, step)
        elif time.monotonic() - self._last[1] >= self._throttle_secs:
            note()

    kind.after_save = after_first_save


def _patch_stopping(note: Callable[[], None], module: Any) -> None:
    kind = module.EarlyStopping
    wishes = kind.wishes

    @functools.wraps(wishes)
    def wishes_by_step(self: Any, step: int) -> bool:
        if not self._secs or self._last_check is None or self.is_due_by_step(step):
            return bool(wishes(self, step))
        if time.monotonic() - self._last_check[1] >= self._secs:
            note()
        return False

    kind.wishes = wishes_by_step
