"""Samples the resident memory of the tasks of a local cluster.

    sampler = Sampler()
    sampler.sample(running_tasks)  # Updates `task.peak_rss` of each.

It needs psutil, which the extra `launch` installs.
"""

import os
import time
from collections.abc import Sequence

import psutil

from modern.launcher.task import Task

_EVERY_S = 0.25


class Sampler:
    """Sampler of the memory that all processes of a task have together."""

    def __init__(self) -> None:
        self._next = 0.0

    def sample(self, tasks: Sequence[Task]) -> None:
        """Takes a sample of running tasks. Does nothing if the last sample is recent."""
        if time.monotonic() < self._next:
            return
        totals = {task.pid: 0 for task in tasks}
        for pid in psutil.pids():
            try:
                # By session, so that the processes that a task has started count, too.
                session = os.getsid(pid)
                if session in totals:
                    totals[session] += psutil.Process(pid).memory_info().rss
            except (OSError, psutil.Error):
                continue  # It ended meanwhile.
        for task in tasks:
            task.peak_rss = max(task.peak_rss, totals[task.pid])
        self._next = time.monotonic() + _EVERY_S
