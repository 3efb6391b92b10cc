"""Decides which tasks of a local cluster are restarted after a failure.

    budget = Budget(max_restarts=2)
    lost = budget.after(failed_task, tasks, leaders(tasks))  # None: the failure ends the job.

- In a cluster without ps, all trainers train in step. None of them can go on without the others,
  so all of them restart, and each reads the last checkpoint.
- In a cluster with ps, the failed task alone restarts. If other tasks fail because of it, they
  restart as well. For example, the coordinator of ParameterServerStrategy fails with its ps.
- An evaluator restarts alone.
- Exit code 2 means misuse, which a restart cannot correct.

A restart of several tasks together counts as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from modern.launcher import failures
from modern.launcher.task import Task


def leaders(tasks: Sequence[Task], chief_name: str = "chief") -> list[Task]:
    """Returns the tasks whose end decides that the job is over.

    Args:
      tasks: All tasks of the job.
      chief_name: The task type of the chief.
    """
    chiefs = [task for task in tasks if task.task_type == chief_name]
    if chiefs and _has_ps(tasks):
        return chiefs
    return chiefs + [task for task in tasks if task.task_type == "worker"]


class Budget:
    """The budget of restarts of a job.

    Args:
      max_restarts: The largest number of restarts.

    Attributes:
      count: The number of restarts so far.
      max_restarts: The largest number of restarts.
    """

    def __init__(self, max_restarts: int) -> None:
        self.count, self.max_restarts = 0, max_restarts

    def after(
        self, failed_task: Task, tasks: Sequence[Task], leaders: Sequence[Task]
    ) -> list[Task] | None:
        """Counts a restart, unless the failure ends the job.

        Args:
          failed_task: The task that has failed.
          tasks: All tasks of the job.
          leaders: The leaders among them.

        Returns:
          The tasks to restart. None if the failure ends the job. An empty list if the failed
          task is no longer needed, because all leaders have exited with 0.
        """
        if failed_task.exit_code == failures.MISUSE or self.count == self.max_restarts:
            return None
        self.count += 1
        if failed_task.task_type == "evaluator":
            return [failed_task]
        if not _has_ps(tasks):
            return list(leaders)
        return [] if all(task.exit_code == 0 for task in leaders) else [failed_task]


def _has_ps(tasks: Sequence[Task]) -> bool:
    return any(task.task_type == "ps" for task in tasks)
