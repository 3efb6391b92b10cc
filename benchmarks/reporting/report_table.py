"""Prints a report as a table for the terminal. It fits 80 columns and does not rely on colour.

    import json
    import pathlib

    import rich.console

    from benchmarks.reporting import report_table

    whole = json.loads(pathlib.Path("report/report.json").read_text())
    report_table.print_table(whole, rich.console.Console())

`benchmarks.compare` prints it at its end.
"""

import re
from collections.abc import Mapping
from typing import Any

import rich.box
import rich.console
import rich.markup
import rich.padding
import rich.table

from benchmarks.reporting import report as report_lib
from migrate import equivalence

_STYLES = {
    equivalence.EQUIVALENT: "green",
    equivalence.DIFFERENT: "red",
    equivalence.INCONCLUSIVE: "yellow",
}
_COLUMNS = (
    "way",
    "train-\ners",
    "examples/s\nmin–max",
    "of\nsingle",
    "step ms\np50/p90",
    "loss\naccuracy",
    "start\ns",
    "RSS\nMB",
)


def print_table(report: Mapping[str, Any], console: rich.console.Console) -> None:
    """Prints a row for each way, the notes, the verdict, and each check that is not equivalent.

    Args:
      report: A report of `report.build`.
      console: Output console, 80 columns wide or more.
    """
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    for index, column in enumerate(_COLUMNS):
        table.add_column(column, justify="right" if index else "left", no_wrap=True)
    for name, way in report["ways"].items():
        table.add_row(*_row(name, way))
    console.print(f"{report['job']} on {report['dataset']}, {_machine(report['machine'])}\n")
    console.print(table)
    console.print("Medians over the runs; RSS is the peak of the largest task.\n")
    for note in report.get("notes", ()):
        console.print(f"Note: {note}", markup=False)
    _print_verdict(report, console)


def _row(name: str, way: Mapping[str, Any]) -> list[str]:
    speed, step, scores = way["examples_per_second"], way["step_ms"], way["eval"]
    ratio = way["ratio_to_single"]
    # In one line, a name such as keras3_multi_worker_mirrored would exceed 80 columns.
    label = "\n".join(re.findall(r".{1,16}(?=_|$)|_?[^_]+", name))
    cells = [
        rich.markup.escape(label),
        str(way["trainers"]),
        "–"
        if speed["median"] is None
        else f"{_short(speed['median'])}\n{_short(speed['min'])}–{_short(speed['max'])}",
        "–" if ratio is None else f"{ratio:.2f}×",
        "–" if step["p50"] is None else f"{step['p50']:.1f}\n{step['p90']:.1f}",
        "–" if scores["loss"] is None else f"{scores['loss']:.4f}",
        f"{way['startup_s']:.1f}",
        f"{max(way['peak_rss_mb'].values(), default=0):.0f}",
    ]
    if scores["accuracy"] is not None:
        cells[5] += f"\n{100 * scores['accuracy']:.1f} %"
    return cells


def _short(figure: float) -> str:
    return f"{figure / 1e3:,.0f}k" if figure >= 1e5 else f"{figure:,.0f}"


def _machine(machine: Mapping[str, Any]) -> str:
    return f"{machine.get('cores', '?')} cores, {machine.get('cpu', 'unknown processor')}"


def _print_verdict(report: Mapping[str, Any], console: rich.console.Console) -> None:
    style = _STYLES[report["equivalence"]["outcome"]]
    console.print(report_lib.summary(report), style=f"bold {style}")
    for check in report["equivalence"]["checks"]:
        if check["outcome"] == equivalence.EQUIVALENT:
            continue
        figure = "none" if check["statistic"] is None else f"{check['statistic']:.3g}"
        line = (
            f"{check['outcome'].upper()} {check['tier']}: {check['name']}, {check['a']} against "
            f"{check['b']}: {figure}, limit {check['limit']:.3g}"
        )
        console.print(line, markup=False, highlight=False)
        if check.get("detail"):
            detail = rich.markup.escape(check["detail"])
            console.print(rich.padding.Padding(detail, (0, 0, 0, 2)), highlight=False)
