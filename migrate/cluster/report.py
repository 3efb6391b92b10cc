"""Prints the results for a job in the terminal.

report.show(result, rich.console.Console())
"""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from migrate.cluster import batches, traffic
from migrate.cluster.batches import Choice
from migrate.cluster.conversion import STRATEGIES, Conversion
from migrate.cluster.results import JobResult, summary
from modern.cluster import roles


def show(result: JobResult, console: Console) -> None:
    """Prints the results for a person.

    Args:
      result: Results of the command.
      console: Console to print to.
    """
    job = result.job
    console.print(Text(f"{job.name}: {summary(job)} ({job.source})", "bold"))
    for problem in result.problems:
        _item(console, f"wrong as it stands: {problem}")
    if result.conversions:
        console.print(_roles(result))
    for conversion, choices in zip(result.conversions, result.choices, strict=True):
        _show_conversion(conversion, choices, console)
    trainers = max((conversion.trainers for conversion in result.conversions), default=1)
    if trainers > 1:
        console.print("The speed on your network, from the report of a comparison:")
        forecast = "python -m benchmarks.forecast report/report.json --network=10Gbit"
        servers = max(len(one.cluster.get("ps", ())) for one in result.conversions)
        ps = f" --ps={servers}" if servers else ""
        console.print(f"  {forecast} --workers={trainers}{ps}", soft_wrap=True)
    if result.notes:
        console.print(Text("Not carried over, or to be checked:"))
        for note in result.notes:
            _item(console, note)
    console.print()


def _show_conversion(conversion: Conversion, choices: tuple[Choice, ...], console: Console) -> None:
    count = f"{len(conversion.tasks)} tasks, {conversion.trainers} train" + (
        "s" if conversion.trainers == 1 else ""
    )
    console.print(Text(f"Under {STRATEGIES[conversion.way]}: {count}", "bold"))
    advice = (*batches.lines(list(choices)), traffic.line(conversion))
    for line in (*conversion.changes, *advice):
        _item(console, line)
    if not any(conversion.cluster.values()) or not all(map(all, conversion.cluster.values())):
        return  # Only the running job knows its addresses.
    for task in conversion.tasks:
        # One line, so that it can be copied.
        console.print(f"  {task.name}  {task.to_json()}", soft_wrap=True, markup=False)


def _item(console: Console, text: str) -> None:
    table = Table.grid(padding=(0, 1))
    table.add_row("-", Text(text))
    console.print(Padding(table, (0, 0, 0, 2)), highlight=False)


def _roles(result: JobResult) -> Table:
    """Returns a table of each task's work, with a column for each way."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("task", no_wrap=True)
    columns = [
        (result.job.tasks, "legacy"),
        *((conversion.tasks, conversion.way) for conversion in result.conversions),
    ]
    for _, way in columns:
        table.add_column("Estimator" if way == "legacy" else way)
    work = [
        {task.name: roles.role_of(task, way).description for task in tasks}
        for tasks, way in columns
    ]
    names = dict.fromkeys(name for column in work for name in column)
    for name in sorted(names, key=_order):
        old, *new = (column.get(name) for column in work)
        cells = [text if old else f"new: {text}" if text else None for text in new]
        placeholder = "not started" if old else "–"
        table.add_row(name, *(text or placeholder for text in (old, *cells)))
    return table


def _order(name: str) -> tuple[int, int]:
    task_type, _, index = name.rpartition("-")
    return ("chief", "worker", "ps", "evaluator").index(task_type), int(index)
