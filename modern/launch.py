"""Runs a TF_CONFIG program as a cluster of processes on this machine.

    python -m modern.launch --workers=2 -- python -m modern.train --strategy=multi_worker_mirrored
    python -m modern.launch --chief --workers=2 --ps=1 --evaluator -- \
        python -m modern.train --strategy=parameter_server --model_dir=/tmp/model
    python -m modern.launch --chief --workers=1 --ps=1 --log_dir=logs -- python old_estimator_job.py
    python -m modern.launch --workers=2 --devices=auto -- python train.py
    python -m modern.launch --workers=2 --noecho -- bash -c 'echo $TF_CONFIG; exec python train.py'
    python -m modern.launch --workers=2 --max_restarts=3 -- python train.py
    python -m modern.launch --flagfile=cluster.flags -- python train.py

Every task runs the same command, with its own TF_CONFIG. Each line that a task prints appears on
standard output as "[worker-0] the line". LOG_DIR/worker-0.log keeps all output of that task, C++
logs included. Messages of the launcher go to standard error.

The exit code is 0, or the exit code of the task that failed first by time (128 + N if signal N
killed it). It is 130 after Ctrl-C, 143 after SIGTERM, and 2 for wrong flags, before any process
starts. No process survives a failure, Ctrl-C or the death of the launcher.

The first Ctrl-C or SIGTERM is passed on, so that the program can save, within --save_grace_s. The
parameter servers end last. All processes have ended half a minute later at the latest. A second
signal ends everything at once.

With --max_restarts=N, a lost task does not end the job. In a cluster with parameter servers the
lost task restarts, otherwise all trainers. `docs/cluster.md` tells the costs. Each attempt has its
own log, such as LOG_DIR/worker-0.attempt-1.log. After failures, the launcher prints them as a
table and writes LOG_DIR/failures.json. `modern.launcher.failures` describes the format, and
`modern.launcher.local` when a job is over.
"""

import os
import pathlib
import sys
import time

from absl import flags

from modern.launcher import launch_flags
from modern.process import app_flags, files, folders, foreign_files


def main(argv: list[str]) -> int:
    """Runs the launcher.

    Args:
      argv: The program's name, flags, and after `--` the command that every task runs.

    Returns:
      The exit code of the job. See the docstring of this module.
    """
    values = launch_flags.define()
    split = argv.index("--") if "--" in argv else len(argv)
    command = argv[split + 1 :]
    if app_flags.wants_help(argv) or app_flags.wants_full_help(argv):
        print(f"{__doc__}\n{values.get_help()}")
        return 0
    try:
        stray = values(app_flags.with_flag_files(argv[:split]))[1:]
    except flags.Error as error:
        return _refuse(str(error))
    if stray or not command:
        problem = f"unexpected argument {stray[0]!r}" if stray else "no command given"
        return _refuse(f"{problem}: put the command after the flags and `--`: -- python train.py")
    try:
        # Imported here, so that a missing extra is reported in one line.
        from modern.launcher import launching, local

        division = launch_flags.gpu_division(values)
        log_dir = pathlib.Path(values.log_dir) if values.log_dir else _fresh_log_dir()
        cluster = local.LocalCluster(
            command,
            workers=values.workers,
            ps=values.ps,
            chief=values.chief,
            evaluator=values.evaluator,
            log_dir=log_dir,
            overwrite_logs=values.overwrite_logs,
            task_env=division.variables if division else None,
            echo=sys.stdout if values.echo else None,
            color=sys.stdout.isatty() and "NO_COLOR" not in os.environ,
            notes=launching.say,
            max_restarts=values.max_restarts,
            grace_s=values.grace_s,
            ps_grace_s=values.ps_grace_s,
            evaluator_grace_s=values.evaluator_grace_s,
            save_grace_s=values.save_grace_s,
        )
        files.check_local(values.log_dir or "", "--log_dir", "the launcher appends to logs")
        folders.check_writable(log_dir, "--log_dir")
    except (ImportError, ValueError, FileExistsError) as error:
        return _refuse(str(error))
    if division:
        launching.say(division.describe())
    return launching.run(cluster)


def _fresh_log_dir() -> pathlib.Path:
    return pathlib.Path("runs", f"launch-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")


def _refuse(problem: str) -> int:
    print(f"launch: error: {foreign_files.printable(problem)}", file=sys.stderr, flush=True)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
