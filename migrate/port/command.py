"""Ports a program to Keras as far as its runs prove it, and writes a certificate.

    python -m migrate port my_job/ --output ported/ -- python my_job/task.py --train_steps=200 ARGS
    python -m migrate port my_job/ --output ported/ --keras=3 -- python my_job/task.py ARGS
    python -m migrate port my_job/ --output ported/ --resume

The command runs the program, unmodified and after each rewriting. It runs only in copies below
OUTPUT/runs, each with its own model_dir. Input data stay in place. The first run records initial
weights, losses, gradient norms, metrics, predictions, exports and checkpoints. The rewritten
programs start from the recorded weights. If results differ or a program fails, the change is
reverted, and the next lower rung is tried: Keras, bridged, legacy. All runs have the same seeds,
one order of shuffled data, and one dropout mask for each shape and rate.

With --keras=3, the port to tf_keras is then rewritten to Keras 3, runs, and is compared with the
unmodified program. A program that must stay on tf_keras is refused before it runs.

OUTPUT gets the ported program, certificate.html and certificate.json. --resume continues a port
that was interrupted.

Exit codes: 0 all proven at the top rung, 1 some part stayed lower, 2 could not run.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from migrate import command_line
from modern.process import cli, extras

_STATE = "port.json"
_BLOCKERS = 5  # Most obstacles to print for a job.


def main(argv: Sequence[str]) -> int:
    """Runs the command.

    Args:
      argv: Arguments of the command.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: An argument is wrong, or the unmodified program does not run.
    """
    separator = [*argv].index("--") if "--" in argv else len(argv)
    words = [*argv[separator + 1 :]]
    options = _parser().parse_args([*argv[:separator]])
    for module in ("libcst", "jinja2", "pathspec"):
        extras.check("migrate", module)
    from migrate.port.copies import program

    output = os.path.realpath(options.output)
    if options.resume:
        user_program, digest, keras = _read_state(options, words, output)
    else:
        user_program = program.read(options.path, words)
        digest, keras = user_program.digest(), int(options.keras or 2)
        _check_output(output, options.output, user_program)
        if keras == 3:
            from migrate.port import keras_3

            keras_3.check(user_program, output)
        _begin(output, options.output, user_program, {"digest": digest, "keras": keras})
    if user_program.digest() != digest:
        raise cli.UsageError(
            f"{options.path} has changed since the port began. Start again with another --output."
        )
    signal.signal(signal.SIGTERM, _end)
    try:
        return _port(options, user_program, output, keras)
    except (KeyboardInterrupt, SystemExit):
        resume = shlex.join(["port", options.path, f"--output={options.output}", "--resume"])
        print(f"Interrupted. Continue with: python -m migrate {resume}", file=sys.stderr)
        raise


def _port(options: argparse.Namespace, user_program: Any, output: str, keras: int) -> int:
    """Ports the program, and returns the exit code."""
    from migrate.port import certificate, climb, progress, runs, steps

    print(
        f"The program runs in copies below {os.path.join(output, steps.FOLDER)}, each with its own "
        "model_dir. Input data stay in place.",
        flush=True,
    )
    _show_plan(options.path)
    display = progress.Progress()
    program_runs = runs.Runs(user_program, output, display, options.timeout)
    ascent = climb.climb(program_runs, display.say, keras)
    target = os.path.join(output, user_program.output_name)
    _place(ascent.source, user_program.output_name, target)
    for path in certificate.write(ascent, user_program, output):
        print(f"Wrote {path}")
    for line in certificate.summary(ascent):
        print(line)
    return 0 if ascent.is_complete else 1


def _parser() -> argparse.ArgumentParser:
    parser = command_line.parser("port", __doc__)
    parser.add_argument("path", metavar="PATH", help="the folder or the file of the program")
    parser.add_argument("--output", metavar="FOLDER", required=True, help="a new folder")
    parser.add_argument(
        "--keras",
        choices=("2", "3"),
        help="the Keras of the port: 2 is tf_keras (the default), 3 is Keras 3",
    )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted port")
    parser.add_argument(
        "--timeout",
        type=float,
        default=3600.0,
        metavar="SECONDS",
        help="the limit for the run of the unmodified program (3600). Others may take ten times as "
        "long as that run, and at least 600 s",
    )
    return parser


def _check_output(output: str, option: str, user_program: Any) -> None:
    if os.path.exists(output) and (not os.path.isdir(output) or os.listdir(output)):
        raise cli.UsageError(
            f"--output={option} exists already. Name another folder, or continue with --resume."
        )
    if (user_program.path + os.sep).startswith(output + os.sep):
        raise cli.UsageError(f"--output={option} contains the program. Name another folder.")


def _begin(output: str, option: str, user_program: Any, settings: dict[str, Any]) -> None:
    """Creates the output folder."""
    from modern.records import task_records

    try:
        os.makedirs(output, exist_ok=True)
        state = {**settings, **dataclasses.asdict(user_program)}
        task_records.write_json(os.path.join(output, _STATE), state)
    except OSError as error:
        raise cli.UsageError(f"--output={option}: cannot be written: {error.strerror}.") from error


def _read_state(
    options: argparse.Namespace, words: Sequence[str], output: str
) -> tuple[Any, str, int]:
    """Returns the program of an interrupted port, its recorded hash, and the Keras of the port."""
    from migrate.port.copies import program

    if words:
        raise cli.UsageError("--resume repeats the recorded command. Leave out the one after --.")
    try:
        with open(os.path.join(output, _STATE)) as file:
            state = json.load(file)
    except (OSError, ValueError):
        raise cli.UsageError(f"--output={options.output} has no port to resume.") from None
    digest, keras = state.pop("digest"), state.pop("keras", 2)  # Older ports lack it.
    if options.keras and int(options.keras) != keras:
        raise cli.UsageError(
            f"--keras={options.keras}: the port in --output={options.output} has --keras={keras}. "
            "Leave the option out, or start again with another --output."
        )
    user_program = program.Program(**{**state, "command": tuple(state["command"])})
    if os.path.realpath(options.path) != user_program.path:
        raise cli.UsageError(f"--output={options.output} is the port of {user_program.path}.")
    return user_program, digest, keras


def _show_plan(path: str) -> None:
    """Prints the jobs that a scan finds, with their first obstacles."""
    from migrate.scan import jobs, scanner

    for job in jobs.plan(scanner.scan_paths([path])):
        print(f"Plan: {job.path} trains by {', '.join(job.trains_by)}", flush=True)
        for blocker in job.blockers[:_BLOCKERS]:
            print(f"  {blocker.where}: {blocker.what}: {blocker.todo}", flush=True)


def _place(source: str, name: str, target: str) -> None:
    """Copies the resulting text into the output folder. A partial copy never has its name."""
    if os.path.exists(target):  # A resumed port had ended.
        return
    partial = f"{target}.{os.getpid()}"
    path = os.path.join(source, name)
    if os.path.isdir(path):
        shutil.copytree(path, partial)
    else:
        shutil.copy2(path, partial)
    os.rename(partial, target)


def _end(*unused: object) -> NoReturn:
    """Ends the port on SIGTERM. The program that it runs ends too."""
    del unused
    sys.exit(128 + signal.SIGTERM)
