"""Results of the command for a job, also in a form for JSON.

print(json.dumps(to_dict(result)))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from migrate.cluster import traffic
from migrate.cluster.batches import Choice
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs.jobs import Job
from modern.cluster import roles
from modern.cluster.tf_config import TFConfig


@dataclasses.dataclass(frozen=True)
class JobResult:
    """A job, with its problems and its conversions.

    Attributes:
      job: The job.
      problems: Problems of the job in its present form.
      conversions: A conversion for each requested way.
      choices: Choices of batch size and learning rate for each conversion.
      files: Contents of the files to write, by name.
      notes: Settings that the files leave out.
    """

    job: Job
    problems: tuple[str, ...] = ()
    conversions: tuple[Conversion, ...] = ()
    choices: tuple[tuple[Choice, ...], ...] = ()
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()


def summary(job: Job) -> str:
    """Returns a job's tasks in words."""
    if not job.tasks:
        return "no cluster; trains alone" if not job.errors else "not understood"
    names = {"chief": job.tasks[0].chief_name}
    counts: dict[str, int] = {}
    for task in job.tasks:
        counts[task.task_type] = counts.get(task.task_type, 0) + 1
    task_counts = ", ".join(f"{count} {names.get(t, t)}" for t, count in counts.items())
    mode = "asynchronously" if job.asynchronous else "synchronously"
    return f"{task_counts}; {job.trainers} train{'s' if job.trainers == 1 else f', {mode}'}"


def to_dict(result: JobResult) -> dict[str, Any]:
    """Returns the results in a form for JSON.

    Args:
      result: Results of the command.

    Returns:
      name, source, summary, problems, legacy and each way (trainers, tasks with their work and
      their TF_CONFIG, changes, batch, traffic), files and notes.
    """
    job = result.job
    value: dict[str, Any] = {
        "name": job.name,
        "source": job.source,
        "summary": summary(job),
        "problems": list(result.problems),
        "legacy": {
            "trainers": job.trainers,
            "train_distribute": job.train_distribute,
            "tasks": [
                _task(task, "legacy", task.to_json(original_names=True)) for task in job.tasks
            ],
        },
    }
    for conversion, choices in zip(result.conversions, result.choices, strict=True):
        value[conversion.way] = {
            "trainers": conversion.trainers,
            "tasks": [_task(task, conversion.way, task.to_json()) for task in conversion.tasks],
            "added": list(conversion.added),
            "removed": list(conversion.removed),
            "changes": list(conversion.changes),
            "batch": [dataclasses.asdict(choice) for choice in choices],
            "traffic": traffic.line(conversion),
        }
    return {**value, "files": dict(result.files), "notes": list(result.notes)}


def _task(task: TFConfig, way: str, text: str) -> dict[str, Any]:
    return {
        "task": task.name,
        "address": task.address,
        "does": roles.role_of(task, way).description,
        "tf_config": text,
    }
