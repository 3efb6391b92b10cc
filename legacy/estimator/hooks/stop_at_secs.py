"""Stops a training after a fixed time.

hook = StopAtSecsHook(3600)
"""

from __future__ import annotations

import time
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class StopAtSecsHook(tf1.train.SessionRunHook):
    """Stops after the first step that ends at least `stop_after_secs` seconds after `begin`.

    Args:
      stop_after_secs: Duration of the training in seconds.
    """

    def __init__(self, stop_after_secs: float) -> None:
        self._stop_after_secs = stop_after_secs

    def begin(self) -> None:
        """Records the start time."""
        self._start_time = time.time()

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Requests a stop if the time is over."""
        if time.time() - self._start_time >= self._stop_after_secs:
            run_context.request_stop()
