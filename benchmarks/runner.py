"""Starts groups of processes, lets them train in turns and collects their results.

All clusters of a comparison run at the same time, but only one trains while the others wait. So the
ways take turns, seed by seed, under the same conditions, and each cluster is started only once.

    with runner.Groups() as groups:
        first = groups.train(group_a, 0)
        second = groups.train(group_b, 0)
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks.ways import Group
from modern.launcher.local import LocalCluster
from modern.launcher.task import TaskReport
from modern.records import task_records

_POLL_S = 0.05
_EVALUATOR = "evaluator-0"


class RunFailedError(RuntimeError):
    """Error of a task that failed or took too long. The message names it, with its last lines."""

    def __init__(self, group: Group, reason: str, lines: Iterable[str] = ()) -> None:
        tail = "".join(f"\n  | {line}" for line in lines)
        super().__init__(f"{group.name}: {reason}{tail}")


class Groups(contextlib.AbstractContextManager):
    """Running groups. Leaving the context ends them, also after an error.

    Args:
      timeout_s: Seconds after which a training is given up.
      idle: Called repeatedly while waiting, for a display.
    """

    def __init__(
        self,
        timeout_s: float = 1800.0,
        idle: Callable[[], None] = lambda: None,
    ) -> None:
        self._timeout_s, self._idle = timeout_s, idle
        self._clusters: dict[Group, LocalCluster] = {}
        self._stack = contextlib.ExitStack()

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def train(self, group: Group, repeat: int) -> dict[str, Any]:
        """Lets a group run its next training and waits until all its tasks have ended it.

        Returns:
          The content of result.json.

        Raises:
          RunFailedError: A task failed, or it took too long.
        """
        self.start(group, repeat)
        return self.wait(group, repeat)

    def start(self, group: Group, repeat: int) -> None:
        """Signals a group to begin. Starts its processes in its first turn."""
        if group not in self._clusters:
            self._clusters[group] = self._stack.enter_context(_cluster(group))
        # A file, because the tasks are separate processes, which wait for it.
        pathlib.Path(f"{group.start_signal}.{repeat}").touch()

    def wait(self, group: Group, repeat: int) -> dict[str, Any]:
        """Waits for the end of a training. See `train`."""
        deadline = time.monotonic() + self._timeout_s
        while not _has_ended(group, repeat):
            # A task of a waiting cluster can fail, too.
            for group_name, cluster in self._clusters.items():
                result = cluster.poll()
                if result and result.failed:
                    raise _failure(group_name, result.failed, result.last_lines)
            if time.monotonic() > deadline:
                raise RunFailedError(group, f"no result after {self._timeout_s:.0f} s")
            self._idle()
            time.sleep(_POLL_S)
        path = pathlib.Path(group.result_dir(repeat)) / "result.json"
        return json.loads(path.read_text())

    def finish(self) -> dict[Group, tuple[TaskReport, ...]]:
        """Ends all processes after their present training, and waits for them.

        Returns:
          The reports of each group's tasks.
        """
        # All groups get the signal before the first wait, so that they end at the same time.
        for group in self._clusters:
            pathlib.Path(f"{group.start_signal}.end").touch()
        reports = {}
        for group, cluster in self._clusters.items():
            result = cluster.wait(self._timeout_s)
            if result.failed:
                raise _failure(group, result.failed, result.last_lines)
            reports[group] = result.tasks
        return reports


def _cluster(group: Group) -> LocalCluster:
    os.makedirs(group.folder, exist_ok=True)
    return LocalCluster(
        list(group.command),
        chief=group.chief,
        workers=group.workers,
        ps=group.ps,
        evaluator=group.evaluator,
        log_dir=pathlib.Path(group.folder) / "logs",
    )


def _failure(group: Group, task: TaskReport, last_lines: Sequence[str]) -> RunFailedError:
    reason = f"{task.name} failed: {task.outcome}; its log is {task.log}"
    return RunFailedError(group, reason, last_lines)


def _has_ended(group: Group, repeat: int) -> bool:
    """Returns whether the result and the last records of all trainers and the evaluator exist."""
    folder = group.result_dir(repeat)
    if not os.path.exists(os.path.join(folder, "result.json")):
        return False
    # One task writes result.json. The others may not have written their last record yet.
    with open(os.path.join(folder, "result.json")) as file:
        trainers = json.load(file)["examples"]
    # Under ParameterServerStrategy the trainers are servers, which keep no record of a training.
    tasks = [name for name in trainers if task_records.read(folder, name)]
    tasks += [_EVALUATOR] if group.evaluator else []
    records = [task_records.read(folder, task) for task in tasks]
    return all(record and record["finished"] for record in records)
