"""Renders the result of a scan as a self-contained page.

    file.write(report_html.as_html(scan, jobs, "migrate scan my_jobs"))

It has no scripts and loads no external resources.
"""

from __future__ import annotations

import datetime
import functools
import pathlib
from collections import Counter
from collections.abc import Sequence

from migrate import html_pages
from migrate.scan import blockers, report_table, scanner, symbols
from migrate.scan import jobs as plan

_TEMPLATE = pathlib.Path(__file__).with_name("report.html.j2")


def as_html(scan: scanner.Scan, jobs: Sequence[plan.Job], command: str) -> str:
    """Returns the page.

    Args:
      scan: The scan.
      jobs: The jobs in the recommended order.
      command: The command that was run, for the page's foot.
    """
    content = {
        "scan": scan,
        "jobs": jobs,
        "obstacles": {job.path: blockers.obstacles(job, scan) for job in jobs},
        "command": command,
        "when": datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        "by_file": report_table.by_file(scan),
        "tasks": report_table.tasks_of(scan),
        "shared": blockers.shared(jobs),
        "counts": Counter(finding.symbol.verdict for finding in scan.findings),
        "rungs": report_table.RUNG_MEANINGS,
        "rung_counts": Counter(report_table.rung_of(job) for job in jobs),
        "verdicts": symbols.VERDICTS,
        "meanings": report_table.MEANINGS,
        "rung_of": report_table.rung_of,
        "parts_of": report_table.parts_of,
        "remaining_work": report_table.remaining_work,
        "todo_of": report_table.todo_of,
        "lines_of": functools.partial(report_table.lines_of, at_most=None),
    }
    return html_pages.rendered(_TEMPLATE, content)
