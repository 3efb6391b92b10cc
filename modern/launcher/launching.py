"""Runs a cluster of local processes to its end, and prints how it ended.

    sys.exit(launching.run(local.LocalCluster(command, workers=2)))

Messages go to standard error.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import sys
from collections.abc import Iterator

from modern.launcher import failures
from modern.launcher.local import JobResult, LocalCluster

# The exit code that a shell reports for a process that SIGPIPE has ended.
_SIGPIPE_EXIT = 128 + signal.SIGPIPE


def run(cluster: LocalCluster) -> int:
    """Starts the tasks, waits for the job and prints how it ended.

    Args:
      cluster: The cluster. Its tasks have not been started.

    Returns:
      The exit code of the job. See the docstring of `modern.launch`.
    """
    say(f"{len(cluster.tasks)} tasks, logs in {cluster.log_dir}")
    for task in cluster.tasks:
        say(f"  {task.name:<12} {task.address or 'no address: not in the cluster'}")
    try:
        with _signals_to(cluster), cluster:
            result = cluster.wait()
            sys.stdout.flush()
    except BrokenPipeError:
        # No process reads our output. The tasks have been ended, and Python must not flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _SIGPIPE_EXIT
    except OSError as error:
        say(f"error: {error}")
        return 2
    _summarize(result)
    _report_failures(result, cluster.log_dir / failures.FILE)
    return result.exit_code


@contextlib.contextmanager
def _signals_to(cluster: LocalCluster) -> Iterator[None]:
    """Hands SIGINT, SIGTERM and SIGHUP to the cluster. Under nohup SIGHUP stays ignored."""
    handlers = {}
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signum != signal.SIGHUP or signal.getsignal(signum) != signal.SIG_IGN:
            handlers[signum] = signal.signal(signum, lambda number, _: cluster.interrupt(number))
    try:
        yield
    finally:
        for signum, handler in handlers.items():
            signal.signal(signum, handler)


def _summarize(result: JobResult) -> None:
    if result.failed is not None:
        cause = result.failed
        say(f"{cause.name} failed first: {cause.outcome} after {cause.seconds:.1f} s")
        say(f"its last lines ({cause.log}):")
        for line in result.last_lines:
            say(f"  | {line}")
    for task in result.tasks:
        memory = "" if task.peak_rss_mb is None else f"  peak {task.peak_rss_mb:.0f} MB"
        note = "  (ended by the launcher)" if task.ended_by_launcher else ""
        attempt = f"  (attempt {task.attempt})" if task.attempt else ""
        say(f"  {task.name:<12} {task.outcome:<24} {task.seconds:8.1f} s{memory}{note}{attempt}")


def _report_failures(result: JobResult, path: pathlib.Path) -> None:
    """Prints a table of all failures and writes them as JSON. Does nothing without failures."""
    if not result.failures:
        return
    say(f"failures ({path}), restarts: {result.restarts} of at most {result.max_restarts}:")
    for line in failures.table(result.failures, result.cause):
        say(f"  {line}")
    try:
        failures.write(
            path,
            result.failures,
            result.cause,
            exit_code=result.exit_code,
            restarts=result.restarts,
            max_restarts=result.max_restarts,
        )
    except OSError as error:
        say(f"error: {path} cannot be written: {error.strerror}")


def say(text: str) -> None:
    """Prints a message of the launcher on standard error."""
    print(f"launch: {text}", file=sys.stderr, flush=True)
