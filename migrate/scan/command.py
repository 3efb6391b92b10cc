"""Finds Estimator-era code: every use, the work to port each to Keras, and the plan.

    python -m migrate scan my_jobs/
    python -m migrate scan my_jobs/ --format=html --output=report.html
    python -m migrate scan my_jobs/ --check                      for CI: exit code 1 if there is any

Scans Python files, notebooks, and folders of them. Skips files that .gitignore names and generated
files. Nothing that is scanned is imported or executed. A file that does not parse is reported, and
the scan continues.

Verdicts: runs, rewritten, suggested, bridge, by hand, gone, could not decide. They apply to names.
With --exact they apply to single uses, and a copy of the program is rewritten to find them. The
plan lists the jobs, their parts, the rung that each can reach today (0 legacy.run, 1 import legacy,
2 bridge, 3 Keras), the blockers of the next rung, and the order in which to port them.

Exit codes: 0 done, 1 found something (--check), 2 could not run.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

import rich.console

from migrate import command_line
from migrate.scan import jobs, scanner
from modern.process import cli, extras, files

_REPORTS = {
    "text": "report_table",
    "json": "report_json",
    "sarif": "report_json",
    "html": "report_html",
}
_WIDTH_IN_FILES = 160


def main(argv: Sequence[str]) -> int:
    """Runs the command.

    Args:
      argv: Arguments of the command.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: A path cannot be scanned, or the output cannot be written.
    """
    options = _parser().parse_args(argv)
    if options.output and os.path.exists(options.output):
        raise cli.UsageError(f"--output={options.output} exists already. Name another file.")
    if options.details and options.format != "text":
        raise cli.UsageError(
            f"--details needs --format=text. --format={options.format} lists all uses."
        )
    if options.exact:
        extras.check("migrate", "libcst")
    if options.processes is not None and options.processes < 1:
        raise cli.UsageError(f"--processes={options.processes}: must be at least 1.")

    # Imported before the scan, so that a missing library is reported at once.
    report = importlib.import_module(f"migrate.scan.{_REPORTS[options.format]}")
    scan = scanner.scan_paths(options.paths, options.processes, _progress())
    if options.exact:
        scan = importlib.import_module("migrate.scan.exact").with_verdicts(scan)
    plan = jobs.plan(scan)
    if not scan.files:
        print("The given paths contain no Python file and no notebook.", file=sys.stderr)
    if options.format == "text":
        _print_table(report, scan, plan, options)
    elif options.format == "html":
        _write(report.as_html(scan, plan, "migrate scan " + shlex.join(argv)), options.output)
    else:
        _write(getattr(report, f"as_{options.format}")(scan, plan), options.output)
    return int(options.check and bool(scan.findings or scan.unread))


def _parser() -> argparse.ArgumentParser:
    parser = command_line.parser("scan", __doc__)
    add = parser.add_argument
    add("paths", nargs="+", metavar="PATH", help="a .py file, a notebook, or a folder")
    add("--format", choices=_REPORTS, default="text", help="(default: text, a table)")
    add("--output", metavar="FILE", help="a new file (default: standard output)")
    add("--details", action="store_true", help="list every use in the table")
    add("--exact", action="store_true", help="decide each use with migrate rewrite (slower)")
    add("--check", action="store_true", help="exit code 1 if anything is found or not read")
    add("--processes", type=int, metavar="N", help="(default: one for each core)")
    return parser


def _progress() -> Callable[[int, int], None]:
    """Returns a function that reports progress on standard error. A terminal shows a count."""
    is_terminal = sys.stderr.isatty()

    def progress(done: int, total: int) -> None:
        if not done:
            files = "file" if total == 1 else "files"
            print(f"Reading {total:,} {files} ...", file=sys.stderr, flush=True)
        elif is_terminal and (done % 100 == 0 or done == total):
            end = "\n" if done == total else ""
            print(f"\r{done:,} of {total:,} files read", end=end, file=sys.stderr, flush=True)

    return progress


def _print_table(
    report: ModuleType,
    scan: scanner.Scan,
    plan: Sequence[jobs.Job],
    options: argparse.Namespace,
) -> None:
    """Prints the table, as wide as the terminal, or with a fixed width into a file or a pipe."""
    if sys.stdout.isatty() and not options.output:
        console = rich.console.Console(highlight=False)
        report.print_report(scan, plan, console, options.details)
        return
    buffer = io.StringIO()
    console = rich.console.Console(file=buffer, width=_WIDTH_IN_FILES, highlight=False)
    report.print_report(scan, plan, console, options.details)
    _write(buffer.getvalue(), options.output)


def _write(text: str, output: str | None) -> None:
    if not output:
        sys.stdout.write(text)
        return
    try:
        files.write_text(output, text)
    except OSError as error:
        raise cli.UsageError(f"--output={output}: cannot be written: {error.strerror}.") from error
    print(f"Wrote {output}", file=sys.stderr)
