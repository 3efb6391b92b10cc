"""Runs a TF_CONFIG program as a cluster of processes on this machine.

    python -m modern.launch --workers=2 -- python -m modern.train --strategy=multi_worker_mirrored
    python -m modern.launch --chief --workers=2 --ps=1 --evaluator -- \
        python -m modern.train --strategy=parameter_server --model_dir=/tmp/model
    python -m modern.launch --chief --workers=1 --ps=1 --log_dir=logs -- python old_estimator_job.py
    python -m modern.launch --workers=2 --noecho -- bash -c 'echo $TF_CONFIG; exec python train.py'
    python -m modern.launch --flagfile=cluster.flags -- python train.py

Every task runs the same command, with its own TF_CONFIG. Each line that a task prints appears on
standard output as "[worker-0] the line". LOG_DIR/worker-0.log keeps all output of that task, C++
logs included. Messages of the launcher go to standard error.

The exit code is 0, or the exit code of the task that failed first by time (128 + N if signal N
killed it). It is 130 after Ctrl-C, 143 after SIGTERM, and 2 for wrong flags, before any process
starts. No process survives a failure, Ctrl-C or the death of the launcher. The first Ctrl-C is
passed on, so that the program can save. The second one ends everything at once.
`modern.cluster.local` describes when a job is over.
"""

import contextlib
import os
import pathlib
import signal
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from absl import flags

if TYPE_CHECKING:
    from modern.cluster.local import JobResult, LocalCluster

# The exit code that a shell reports for a process that SIGPIPE has ended.
_SIGPIPE_EXIT = 128 + signal.SIGPIPE


def define_flags() -> flags.FlagValues:
    """Defines the launcher's flags in a new FlagValues object.

    They are kept apart from the process-wide flags, which a training app defines.

    Returns:
      Flags that are not parsed yet.
    """
    values = flags.FlagValues()
    integer, number, boolean = flags.DEFINE_integer, flags.DEFINE_float, flags.DEFINE_boolean
    integer("workers", 2, "Number of worker tasks.", lower_bound=0, flag_values=values)
    integer("ps", 0, "Number of parameter servers.", lower_bound=0, flag_values=values)
    boolean("chief", False, "Whether there is a chief.", flag_values=values)
    boolean("evaluator", False, "Whether there is an evaluator.", flag_values=values)
    flags.DEFINE_string(
        "log_dir",
        None,
        "Folder for one log file per task. Default: a fresh runs/launch-TIME.",
        flag_values=values,
    )
    boolean("overwrite_logs", False, "Replace log files in --log_dir.", flag_values=values)
    boolean("echo", True, "Print the tasks' lines as they arrive.", flag_values=values)
    grace = "Seconds for {} to end by themselves {}; then they are ended, which is no failure."
    for name, default, who, when in (
        ("grace_s", 30.0, "workers", "after the chief of a cluster with ps has"),
        ("ps_grace_s", 10.0, "parameter servers", "after all trainers have"),
        ("evaluator_grace_s", 600.0, "evaluators", "after the trainers have"),
    ):
        number(name, default, grace.format(who, when), lower_bound=0, flag_values=values)
    boolean("help", False, "Show this help.", short_name="h", flag_values=values)
    return values


def main(argv: list[str]) -> int:
    """Runs the launcher.

    Args:
      argv: The program's name, flags, and after `--` the command that every task runs.

    Returns:
      The exit code of the job. See the docstring of this module.
    """
    values = define_flags()
    split = argv.index("--") if "--" in argv else len(argv)
    command = argv[split + 1 :]
    try:
        stray = values(list(argv[:split]))[1:]
    except flags.Error as error:
        return _refuse(str(error))
    if values.help:
        print(f"{__doc__}\n{values.get_help()}")
        return 0
    if stray or not command:
        problem = f"unexpected argument {stray[0]!r}" if stray else "no command given"
        return _refuse(f"{problem}: put the command after the flags and `--`: -- python train.py")
    try:
        # Imported here, so that a missing extra is reported in one line.
        from modern.cluster import local

        log_dir = pathlib.Path(values.log_dir) if values.log_dir else _fresh_log_dir()
        cluster = local.LocalCluster(
            command,
            workers=values.workers,
            ps=values.ps,
            chief=values.chief,
            evaluator=values.evaluator,
            log_dir=log_dir,
            overwrite_logs=values.overwrite_logs,
            echo=sys.stdout if values.echo else None,
            color=sys.stdout.isatty() and "NO_COLOR" not in os.environ,
            notes=_say,
            grace_s=values.grace_s,
            ps_grace_s=values.ps_grace_s,
            evaluator_grace_s=values.evaluator_grace_s,
        )
    except (ImportError, ValueError, FileExistsError) as error:
        return _refuse(str(error))
    return _run(cluster)


def _run(cluster: "LocalCluster") -> int:
    """Starts the tasks, waits for the job and prints how it ended."""
    _say(f"{len(cluster.tasks)} tasks, logs in {cluster.log_dir}")
    for task in cluster.tasks:
        _say(f"  {task.name:<12} {task.address or 'no address: not in the cluster'}")
    try:
        with _signals_to(cluster), cluster:
            result = cluster.wait()
            sys.stdout.flush()
    except BrokenPipeError:
        # No process reads our output. The tasks have been ended, and Python must not flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _SIGPIPE_EXIT
    except OSError as error:
        return _refuse(str(error))
    _summarize(result)
    return result.exit_code


@contextlib.contextmanager
def _signals_to(cluster: "LocalCluster") -> Iterator[None]:
    """Hands SIGINT, SIGTERM and SIGHUP to the cluster. Under nohup SIGHUP stays ignored."""
    before = {}
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signum != signal.SIGHUP or signal.getsignal(signum) != signal.SIG_IGN:
            before[signum] = signal.signal(signum, lambda number, _: cluster.interrupt(number))
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


def _summarize(result: "JobResult") -> None:
    if result.failed is not None:
        failed = result.failed
        _say(f"{failed.name} failed first: {failed.outcome} after {failed.seconds:.1f} s")
        _say(f"its last lines ({failed.log}):")
        for line in result.last_lines:
            _say(f"  | {line}")
    for task in result.tasks:
        memory = "" if task.peak_rss_mb is None else f"  peak {task.peak_rss_mb:.0f} MB"
        ended = "  (ended by the launcher)" if task.ended_by_launcher else ""
        _say(f"  {task.name:<12} {task.outcome:<24} {task.seconds:8.1f} s{memory}{ended}")


def _fresh_log_dir() -> pathlib.Path:
    return pathlib.Path("runs", f"launch-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")


def _say(text: str) -> None:
    print(f"launch: {text}", file=sys.stderr, flush=True)


def _refuse(problem: str) -> int:
    _say(f"error: {problem}")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
