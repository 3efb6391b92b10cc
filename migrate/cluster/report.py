"""What was found out about a job, in words for a terminal or as a value for JSON.

report.show(found, rich.console.Console())
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from migrate.cluster import batches
from migrate.cluster.batches import Choice
from migrate.cluster.conversion import STRATEGIES, Conversion
from migrate.cluster.jobs import Job
from migrate.cluster.targets import Written
from modern.cluster import roles


@dataclasses.dataclass(frozen=True)
class Found:
    """A job, and what becomes of it.

    Attributes:
      job: As it was read.
      problems: What is wrong with it as it stands.
      conversions: One for each way that was asked for.
      choices: Of batch size and learning rate, for each of these.
      files: What is written, by the files' names.
      notes: Of the files: what they leave out.
    """

    job: Job
    problems: tuple[str, ...] = ()
    conversions: tuple[Conversion, ...] = ()
    choices: tuple[tuple[Choice, ...], ...] = ()
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def written(cls, found: Found, name: str, written: Written) -> Found:
        """The same with a file for a target."""
        return dataclasses.replace(found, files={name: written.text}, notes=written.notes)


def summary(job: Job) -> str:
    """A job's tasks in words."""
    if not job.tasks:
        return "no cluster; trains alone" if not job.errors else "not understood"
    names = {"chief": job.tasks[0].chief_name}
    counts: dict[str, int] = {}
    for task in job.tasks:
        counts[task.task_type] = counts.get(task.task_type, 0) + 1
    named = ", ".join(f"{count} {names.get(t, t)}" for t, count in counts.items())
    how = "asynchronously" if job.asynchronous else "synchronously"
    return f"{named}; {job.trainers} train{'s' if job.trainers == 1 else f', {how}'}"


def show(found: Found, console: Console) -> None:
    """Prints it for a person.

    Args:
      found: By the command.
      console: Where to.
    """
    job = found.job
    console.print(Text(f"{job.name}: {summary(job)} ({job.source})", "bold"))
    for problem in found.problems:
        _item(console, f"wrong as it stands: {problem}")
    if found.conversions:
        console.print(_roles(found))
    for made, choices in zip(found.conversions, found.choices, strict=True):
        _show_conversion(made, choices, console)
    if found.notes:
        console.print(Text("What is written leaves out, or needs a look:"))
        for note in found.notes:
            _item(console, note)
    console.print()


def _show_conversion(made: Conversion, choices: tuple[Choice, ...], console: Console) -> None:
    count = f"{len(made.tasks)} tasks, {made.trainers} train"
    console.print(Text(f"Under {STRATEGIES[made.way]}: {count}", "bold"))
    for line in (*made.changes, *batches.lines(list(choices))):
        _item(console, line)
    if not any(made.cluster.values()) or not all(map(all, made.cluster.values())):
        return  # the running job finds its addresses
    for task in made.tasks:
        # Unbroken, to be copied.
        console.print(f"  {task.name}  {task.to_json()}", soft_wrap=True, markup=False)


def _item(console: Console, text: str) -> None:
    table = Table.grid(padding=(0, 1))
    table.add_row("-", Text(text))
    console.print(Padding(table, (0, 0, 0, 2)), highlight=False)


def _roles(found: Found) -> Table:
    """What each task does, a column for each way."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("task", no_wrap=True)
    columns = [(found.job.tasks, "legacy"), *((made.tasks, made.way) for made in found.conversions)]
    for _, way in columns:
        table.add_column(STRATEGIES.get(way, "Estimator"))
    does = [
        {task.name: roles.role_of(task, way).description for task in tasks}
        for tasks, way in columns
    ]
    names = dict.fromkeys(name for column in does for name in column)
    for name in sorted(names, key=_order):
        old, *new = (column.get(name) for column in does)
        cells = [text if old else f"new: {text}" if text else None for text in new]
        missing = "not started" if old else "–"
        table.add_row(name, *(text or missing for text in (old, *cells)))
    return table


def _order(name: str) -> tuple[int, int]:
    task_type, _, index = name.rpartition("-")
    return ("chief", "worker", "ps", "evaluator").index(task_type), int(index)


def to_dict(found: Found) -> dict[str, Any]:
    """The same as a value for JSON.

    Args:
      found: By the command.

    Returns:
      name, source, problems, legacy and each way (trainers, tasks with what they do and their
      TF_CONFIG, changes, batch), files and notes.
    """
    job = found.job
    value: dict[str, Any] = {
        "name": job.name,
        "source": job.source,
        "summary": summary(job),
        "problems": list(found.problems),
        "legacy": {
            "trainers": job.trainers,
            "train_distribute": job.train_distribute,
            "tasks": [
                _task(task, "legacy", task.to_json(original_names=True)) for task in job.tasks
            ],
        },
    }
    for made, choices in zip(found.conversions, found.choices, strict=True):
        value[made.way] = {
            "trainers": made.trainers,
            "tasks": [_task(task, made.way, task.to_json()) for task in made.tasks],
            "added": list(made.added),
            "removed": list(made.removed),
            "changes": list(made.changes),
            "batch": [dataclasses.asdict(choice) for choice in choices],
        }
    return {**value, "files": dict(found.files), "notes": list(found.notes)}


def _task(task: Any, way: str, text: str) -> dict[str, Any]:
    return {
        "task": task.name,
        "address": task.address,
        "does": roles.role_of(task, way).description,
        "tf_config": text,
    }
