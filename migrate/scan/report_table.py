"""Prints the result of a scan on a terminal: the plan, then the findings.

    report_table.print_report(scan, jobs, console)

For a few files, every finding is listed. For many files, the findings are grouped by task, with the
numbers of uses and files, because a list of thousands of lines is not readable.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence

import rich.console
import rich.markup
import rich.table

from migrate.scan import blockers, scanner, symbols
from migrate.scan import jobs as plan

# Meaning of each verdict for a reader.
MEANINGS = {
    "runs": "works today, unchanged, with legacy or from tf.compat.v1",
    "rewritten": "migrate rewrite --to=modern rewrites it, where results stay the same",
    "suggested": "migrate rewrite --to=modern --unsafe rewrites it, where it understands the "
    "program",
    "bridge": "works today with legacy, and unchanged in a model that migrate.bridge trains",
    "by hand": "works today with legacy, and a recipe shows the way to Keras",
    "gone": "nothing provides it, and the text names an alternative",
    "could not decide": "cannot be decided from the source",
}
_STYLES = {"gone": "red", "could not decide": "magenta", "by hand": "yellow", "runs": "green"}
# Rungs that a job can reach, the furthest first, with their meanings.
RUNG_MEANINGS = {
    "3: Keras": "it is a Keras job",
    "2: bridge": "Keras trains its unchanged model_fn under a tf.distribute strategy "
    "(migrate.bridge)",
    "1: import legacy": "with its imports rewritten (migrate rewrite --to=legacy) it runs on "
    "today's TensorFlow",
    "0: legacy.run": "python -m legacy.run runs its unchanged files on today's TensorFlow",
    "starts": "it starts, but it calls names that today's TensorFlow does not have",
    "none yet": "it cannot start: today's TensorFlow lacks a name that it imports, or a file is "
    "not Python 3",
}
_OF_TF = re.compile(r"^tf\.(estimator\.|train\.)?")
_MANY_LINES = 8
_FEW_NAMES = 4
_MANY_JOBS = 12
_MANY_FILES = 25


def print_report(
    scan: scanner.Scan,
    jobs: Sequence[plan.Job],
    console: rich.console.Console,
    details: bool = False,
) -> None:
    """Prints the whole report.

    Args:
      scan: The scan.
      jobs: The jobs in the recommended order.
      console: Output console.
      details: If true, prints every job's parts and every finding, even if they are many.
    """
    if jobs:
        _print_plan(jobs, console, details)
    for file in scan.unread:
        where = f"{file.path}:{file.error_line}" if file.error_line else file.path
        console.print(f"[red]not read[/] {_escape(where)}: {_escape(str(file.error))}")
    if scan.unread:
        console.print()
    if details or len({finding.path for finding in scan.findings}) <= _MANY_FILES:
        _print_findings(scan, console)
    else:
        _print_tasks(scan, console)
    _print_summary(scan, jobs, console)


def rung_of(job: plan.Job) -> str:
    """Returns the highest rung that a job can reach today, in words."""
    if job.rung is None:
        return "starts" if job.starts else "none yet"
    return next(rung for rung in RUNG_MEANINGS if rung.startswith(f"{job.rung}:"))


def parts_of(job: plan.Job) -> list[tuple[str, str]]:
    """Returns the parts of a job as (label, names). Missing parts are left out."""
    parts = [
        ("trains by", job.trains_by),
        ("cluster", [job.roles]),
        ("strategies", job.strategies),
        ("model functions", job.model_functions),
        ("input functions", job.input_functions),
        ("of these, with tensors", job.tensor_inputs),
        ("hooks", job.hooks),
        ("exporters", job.exporters),
        ("checkpoints", job.checkpoints),
        ("other files", [_relative_path(file, job.path) for file in job.files[1:]]),
        ("not scanned", job.missing),
    ]
    return [(label, ", ".join(_short(names))) for label, names in parts if names]


def remaining_work(job: plan.Job) -> str:
    """Returns the number of uses that remain on the way to Keras, by verdict, as text."""
    order = ("gone", "could not decide", "by hand", "suggested", "bridge", "rewritten")
    counts = [f"{job.verdicts[verdict]} {verdict}" for verdict in order if verdict in job.verdicts]
    return ", ".join(counts) or "nothing"


def _relative_path(file: str, job: str) -> str:
    return os.path.relpath(file, os.path.dirname(job) or ".")


def _print_plan(jobs: Sequence[plan.Job], console: rich.console.Console, details: bool) -> None:
    console.print(f"[bold]{_count(len(jobs), 'job')}[/], the easiest first")
    job_counts = Counter(rung_of(job) for job in jobs)
    for rung in RUNG_MEANINGS:
        if job_counts[rung]:
            console.print(f"{job_counts[rung]:6,} {rung:17}{RUNG_MEANINGS[rung]}", soft_wrap=True)
    console.print()
    if len(jobs) > _MANY_JOBS and not details:
        _print_jobs_in_short(jobs, console)
    else:
        _print_jobs(jobs, console)
    console.print()
    shared = blockers.shared(jobs)
    if shared:
        console.print("[bold]Obstacles of several jobs[/]")
        for blocker, count in shared:
            console.print(
                f"{count:6,} jobs, rung {blocker.rung}: {_escape(blocker.what)}: "
                f"{_escape(blocker.todo)}",
                soft_wrap=True,
            )
        console.print()


def _print_jobs_in_short(jobs: Sequence[plan.Job], console: rich.console.Console) -> None:
    table = rich.table.Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "job", "reaches", "trains by", "left to Keras", "blocked by"):
        table.add_column(name, overflow="fold", no_wrap=name == "reaches")
    for number, job in enumerate(jobs, 1):
        more = f" and {len(job.blockers) - 1} more" if len(job.blockers) > 1 else ""
        table.add_row(
            f"{number}.",
            _escape(job.path),
            rung_of(job),
            _escape(", ".join(_OF_TF.sub("", name) for name in job.trains_by)),
            remaining_work(job),
            _escape(f"{job.blockers[0].what}{more}" if job.blockers else ""),
        )
    console.print(table)


def _print_jobs(jobs: Sequence[plan.Job], console: rich.console.Console) -> None:
    for number, job in enumerate(jobs, 1):
        console.print(
            f"[bold]{number}. {_escape(job.path)}[/]  reaches rung: [bold]{rung_of(job)}[/]; "
            f"to Keras: {remaining_work(job)}",
            soft_wrap=True,
        )
        for label, names in parts_of(job):
            console.print(f"   {label}: {_escape(names)}", soft_wrap=True)
        for blocker in job.blockers:
            console.print(
                f"   [red]blocks rung {blocker.rung}[/] {_escape(blocker.where)} "
                f"{_escape(blocker.what)}: {_escape(blocker.todo)}",
                soft_wrap=True,
            )


def tasks_of(
    scan: scanner.Scan,
) -> list[tuple[symbols.Symbol, list[str], int, int]]:
    """Returns the work to do as (an example, names, uses, files), the hardest first.

    Args:
      scan: The scan.
    """
    groups: dict[tuple[str, str, str], list[scanner.Finding]] = {}
    for finding in scan.findings:
        symbol = finding.symbol
        groups.setdefault((symbol.verdict, symbol.todo, symbol.recipe), []).append(finding)
    tasks = []
    for group in groups.values():
        counts = Counter(symbols.plain(finding.symbol.name) for finding in group)
        files = len({finding.path for finding in group})
        names = [name for name, _ in counts.most_common()]
        tasks.append((group[0].symbol, names, len(group), files))
    return sorted(tasks, key=lambda task: (-symbols.VERDICTS.index(task[0].verdict), -task[2]))


def _print_tasks(scan: scanner.Scan, console: rich.console.Console) -> None:
    table = rich.table.Table(box=None, pad_edge=False, header_style="bold")
    for name in ("uses", "files"):
        table.add_column(name, justify="right")
    table.add_column("verdict", no_wrap=True)
    table.add_column("names", overflow="fold", ratio=1)
    table.add_column("what to do", overflow="fold", ratio=1)
    for symbol, names, uses, files in tasks_of(scan):
        style = _STYLES.get(symbol.verdict, "default")
        more = f" and {len(names) - _FEW_NAMES} more" if len(names) > _FEW_NAMES else ""
        table.add_row(
            f"{uses:,}",
            f"{files:,}",
            f"[{style}]{symbol.verdict}[/]",
            _escape(", ".join(names[:_FEW_NAMES]) + more),
            _escape(todo_of(symbol)),
        )
    console.print(table)
    console.print("\nEvery use, by file: --details, or name the files.\n")


def by_file(
    scan: scanner.Scan,
) -> dict[str, dict[symbols.Symbol, list[scanner.Finding]]]:
    """Returns the findings of each file, grouped by name.

    Args:
      scan: The scan.
    """
    findings_by_file: dict[str, dict[symbols.Symbol, list[scanner.Finding]]] = {}
    for finding in scan.findings:
        findings_by_file.setdefault(finding.path, {}).setdefault(finding.symbol, []).append(finding)
    return findings_by_file


def _print_findings(scan: scanner.Scan, console: rich.console.Console) -> None:
    for path, by_symbol in by_file(scan).items():
        table = rich.table.Table(box=None, pad_edge=False, show_header=False)
        table.add_column(max_width=16)
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for symbol, findings in by_symbol.items():
            style = _STYLES.get(symbol.verdict, "default")
            table.add_row(
                lines_of(findings),
                _escape(symbol.name),
                f"[{style}]{symbol.verdict}[/]",
                _escape(todo_of(symbol)),
            )
        console.print(f"[bold]{_escape(path)}[/]")
        console.print(table)
        console.print()


def todo_of(symbol: symbols.Symbol) -> str:
    """Returns the instructions for a name, with the rule or the recipe that helps."""
    hints = [f"rule {symbol.rule}"] * bool(symbol.rule)
    hints += [f"recipe {symbol.recipe}"] * bool(symbol.recipe)
    return f"{symbol.todo} ({', '.join(hints)})" if hints else symbol.todo


def _print_summary(
    scan: scanner.Scan, jobs: Sequence[plan.Job], console: rich.console.Console
) -> None:
    counts = Counter(finding.symbol.verdict for finding in scan.findings)
    for verdict in symbols.VERDICTS:
        if counts[verdict]:
            style = _STYLES.get(verdict, "default")
            count = f"[{style}]{counts[verdict]:6,} {verdict:17}[/]"
            console.print(count + MEANINGS[verdict], soft_wrap=True)
    generated = sum(file.generated for file in scan.files.values())
    file_count = len({finding.path for finding in scan.findings})
    console.print(
        f"{_count(len(scan.findings), 'use')} in {file_count:,} of "
        f"{_count(len(scan.files), 'file')} "
        f"({scan.lines:,} lines, {scan.seconds:.1f} s); {_count(len(jobs), 'job')}; "
        f"{_count(len(scan.unread), 'file')} not read, {generated} generated ones skipped.",
        soft_wrap=True,
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def lines_of(findings: Sequence[scanner.Finding], at_most: int | None = _MANY_LINES) -> str:
    """Returns the lines of findings as text, in a notebook as "cell:line".

    Args:
      findings: Findings of one file.
      at_most: Maximum number of lines to print. None for all.
    """
    places = [f"{f.cell}:{f.line}" if f.cell else str(f.line) for f in findings]
    places = list(dict.fromkeys(places))
    first_places = places[:at_most]
    return ", ".join(first_places) + (
        f" +{len(places) - len(first_places)}" if len(places) > len(first_places) else ""
    )


def _short(names: Sequence[str]) -> list[str]:
    if len(names) <= _MANY_LINES:
        return [os.fspath(name) for name in names]
    return [*names[:_MANY_LINES], f"{len(names) - _MANY_LINES} more"]


def _escape(text: str) -> str:
    return rich.markup.escape(text)
