"""Failures of a job's tasks: records them, and restarts tasks while the budget lasts.

    recovery = Recovery(tasks, leaders, supervisor, max_restarts=2, note=print)
    last = recovery.after_failures()  # A failure that ends the job, or None.

`restarts` decides which tasks restart.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable

from modern.cluster import addresses
from modern.launcher import restarts
from modern.launcher.failures import Failure
from modern.launcher.supervisor import Supervisor
from modern.launcher.task import Task

# The processes of a failed task may hold its port until the system has collected them.
_PORT_WAIT_S = 10.0


class Recovery:
    """The failures of a job so far, and the restarts after them.

    Args:
      tasks: All tasks of the job. A restarted task is replaced in this list by its next attempt.
      leaders: Function that returns the tasks whose end decides that the job is over.
      supervisor: Starts and ends the processes.
      max_restarts: The largest number of restarts.
      note: Called with a line that names the tasks that are restarted, and the reason.
      observe: Called after tasks were ended, and reads their last lines.
      is_interrupted: Function that returns true after a signal. Nothing is started then.

    Attributes:
      failures: All failures of all attempts, in the order of time.
      budget: The budget of restarts.
    """

    def __init__(
        self,
        tasks: list[Task],
        leaders: Callable[[], list[Task]],
        supervisor: Supervisor,
        *,
        max_restarts: int,
        note: Callable[[str], None],
        observe: Callable[[], None],
        is_interrupted: Callable[[], bool],
    ) -> None:
        self.failures: list[Failure] = []
        self.budget = restarts.Budget(max_restarts)
        self._tasks, self._leaders, self._supervisor = tasks, leaders, supervisor
        self._note, self._observe, self._is_interrupted = note, observe, is_interrupted
        self._checked_count = 0  # The number of ended tasks that have been checked for failures.

    def after_failures(self) -> Failure | None:
        """Restarts tasks after new failures. Returns a failure that ends the job, or None."""
        for task, failure in self.record():
            # The task may have been replaced since, together with its group.
            if task in self._tasks:
                group = self.budget.after(task, self._tasks, self._leaders())
                if group is None or not self._restart(failure, group):
                    return failure
        return None

    def record(self) -> list[tuple[Task, Failure]]:
        """Records the failures since the last call, and returns them in the order of time."""
        ended_tasks = list(self._supervisor.ended)
        new = [
            (task, Failure(task.report(), tuple(task.last_lines())))
            for task in ended_tasks[self._checked_count :]
            if task.failed
        ]
        self._checked_count = len(ended_tasks)
        self.failures += [failure for _, failure in new]
        return new

    def _restart(self, failure: Failure, group: list[Task]) -> bool:
        """Replaces tasks by their next attempts. Returns False if that is impossible.

        After a signal, nothing is started.
        """
        reason = f"{failure.report.name} failed ({failure.report.outcome})"
        if not group:
            self._note(f"{reason}: the training is complete without it")
            return True
        names = [task.name for task in group]
        count, limit = self.budget.count, self.budget.max_restarts
        self._note(f"{reason}: restart {count} of at most {limit}, of {', '.join(names)}")
        self._supervisor.end([task for task in group if task.ended is None])
        self._supervisor.clear(group)
        self._observe()  # Echoes the last lines of the attempts that have ended.
        deadline = time.monotonic() + _PORT_WAIT_S
        for task in group:
            if self._is_interrupted():
                return True
            if not self._has_free_port(task, deadline):
                self._note(f"another program has taken the address {task.address} of {task.name}")
                return False
        failure.restarted = tuple(names)
        for task in group:
            attempt = task.next_attempt()
            self._tasks[self._tasks.index(task)] = attempt
            self._supervisor.start(attempt)
        return True

    def _has_free_port(self, task: Task, deadline: float) -> bool:
        if task.address is None:
            return True
        _, port = addresses.split(task.address)
        while addresses.bind_error(port) == errno.EADDRINUSE and not self._is_interrupted():
            if time.monotonic() > deadline:
                return False
            self._supervisor.pause()
        return True
