"""Waits for other tasks of the cluster, which name the missing tasks and end after a limit.

wait = Wait(limit_secs=7200)
while missing := missing_ps():
    wait.pause(f"for {', '.join(missing)}")
"""

from __future__ import annotations

import time

import tensorflow as tf

from legacy.estimator.cluster import signals, stalls

tf1 = tf.compat.v1

POLL_SECS = 0.1
REMIND_SECS = 30.0


class GaveUpError(tf.errors.DeadlineExceededError):
    """Error for a cluster task that did not start in time. The message names the task."""

    def __init__(self, message: str) -> None:
        super().__init__(None, None, message)


class Wait:
    """A wait that a loop repeats until its condition is true.

    Args:
      limit_secs: The longest wait in seconds, `session_creation_timeout_secs` of the RunConfig.
      ends_on_signal: If true, a signal that ends this task ends the wait.
    """

    def __init__(self, limit_secs: float, ends_on_signal: bool = True) -> None:
        self._limit_secs = limit_secs
        self._ends_on_signal = ends_on_signal
        self.restart()

    def restart(self) -> None:
        """Restarts the limit from now."""
        self._start_time = self._last_reminder = time.monotonic()

    @property
    def seconds(self) -> float:
        """The length of the wait so far."""
        return time.monotonic() - self._start_time

    def pause(self, purpose: str) -> None:
        """Sleeps for a moment. Logs a reminder every 30 seconds.

        Args:
          purpose: The rest of the sentence "Waiting ...", such as "for ps-0 at h:2222".

        Raises:
          GaveUpError: The limit has passed.
          SystemExit: A signal has arrived that ends this task.
        """
        if self._ends_on_signal:
            signals.exit_if_interrupted()
        stalls.beat()  # This wait has its own limit.
        if self.seconds > self._limit_secs:
            raise GaveUpError(f"Waited {self._limit_secs:.0f} s {purpose}, in vain. Giving up.")
        if time.monotonic() - self._last_reminder > REMIND_SECS:
            tf1.logging.warning("Waiting %s (%d s so far).", purpose, self.seconds)
            self._last_reminder = time.monotonic()
        time.sleep(POLL_SECS)
