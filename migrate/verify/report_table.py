"""Prints a report as a table in the terminal. It fits 80 columns, and needs no colour.

report_table.print_table(report)
"""

from __future__ import annotations

import rich.box
import rich.console
import rich.markup
import rich.padding
import rich.table

from migrate.verify import results

_STYLES = {results.SAME: "green", results.DIFFERENT: "bold red", results.UNKNOWN: "bold yellow"}


def print_table(report: results.Report, console: rich.console.Console | None = None) -> None:
    """Prints the levels, the findings and the verdict.

    Args:
      report: Result of `verifier.verify`.
      console: Console to print to. None for standard output.
    """
    console = console or rich.console.Console()
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("level", no_wrap=True)
    table.add_column("compared")
    for column in ("deviation", "tolerance"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("verdict")
    for level in report.levels:
        table.add_row(*_row(level))
    programs = report.asked
    console.print(
        f"{programs['modern']['name']} against {programs['legacy']['name']}\n",
        markup=False,
        highlight=False,
    )
    console.print(table)
    for level in report.levels:
        _print_findings(level, console)
    if report.verdict == results.SAME:
        _print_limits(report, console)
    console.print(report.summary, style=_STYLES[report.verdict], markup=False, highlight=False)


def _row(level: results.Level) -> list[str]:
    worst = level.worst
    numbers = ["", ""] if worst is None else [f"{worst.deviation:.1e}", f"{worst.tolerance:.1e}"]
    style = _STYLES.get(level.verdict, "dim")
    return [
        f"{level.number} {level.title}",
        rich.markup.escape(level.compared),
        *numbers,
        f"[{style}]{level.verdict}[/]",
    ]


def _print_findings(level: results.Level, console: rich.console.Console) -> None:
    if not level.findings:
        return
    console.print(f"\nLevel {level.number}, {level.title}:", markup=False, highlight=False)
    for finding in level.findings:
        text = rich.markup.escape(finding)
        console.print(rich.padding.Padding(text, (0, 0, 0, 2)), highlight=False)
    console.print()


def _print_limits(report: results.Report, console: rich.console.Console) -> None:
    """Prints the limits of the verdict. The certificate contains them with all other results."""
    notes = [f"Level {lv.number}: {note}" for lv in report.levels for note in lv.notes]
    for line in (*report.randomness, *notes, *report.notes):
        text = rich.markup.escape(line)
        console.print(rich.padding.Padding(text, (0, 0, 0, 2)), style="dim", highlight=False)
    console.print()
