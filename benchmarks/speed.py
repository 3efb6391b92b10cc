r"""Measures the ways against the code they replace: guide-style scripts, and the real tf.estimator.

    python -m benchmarks.speed --mnist=~/data/mnist.npz
    python -m benchmarks.speed --mnist=~/data/mnist.npz --original_python=/venv-2.15/bin/python
    python -m benchmarks.speed --job=sparse_embeddings --ps=2 \
        --original_python=/venv-2.15/bin/python

Trains mnist_cnn with batches of 64, or sparse_embeddings with batches of 512, on two trainers.
Every program runs in separate processes, in turns, for several rounds. Prints medians and the
ratios of docs/performance.md. Exit code: 0 if all ratios are reached, 1 if not, 2 if a program
could not run.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import resource
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence

import psutil
import rich.console
import rich.table
from absl import flags

from benchmarks import programs
from modern.launcher.local import LocalCluster
from modern.process import cli

FLAGS = flags.FLAGS
MNIST_CNN, SPARSE_EMBEDDINGS = "mnist_cnn", "sparse_embeddings"


@dataclasses.dataclass(frozen=True)
class Turn:
    """The figures of one run of a program.

    Attributes:
      examples_per_second: Throughput of its steady part.
      cpu_s: Processor time of all its tasks, from start to end.
      sent_bytes: Bytes sent through the loopback interface during the run.
    """

    examples_per_second: float
    cpu_s: float
    sent_bytes: int


def define_programs() -> None:
    """Defines the flags that choose the programs."""
    flags.DEFINE_string("mnist", None, "Keras' mnist.npz, or one with its keys.")
    flags.DEFINE_enum("job", MNIST_CNN, [MNIST_CNN, SPARSE_EMBEDDINGS], "The job to train.")
    flags.DEFINE_integer("ps", 1, "Parameter servers of sparse_embeddings.", lower_bound=1)
    flags.DEFINE_string("original_python", None, "A Python that has TensorFlow 2.15.")


def known_programs() -> tuple[pathlib.Path | None, list[programs.Program]]:
    """Returns the path of --mnist, if --job reads it, and the programs of --job.

    Raises:
      cli.UsageError: The flags contradict each other, or --mnist is not a file.
    """
    if FLAGS.job == SPARSE_EMBEDDINGS:
        return None, programs.sparse_embeddings(FLAGS.original_python, FLAGS.ps)
    if FLAGS["ps"].present:
        raise cli.UsageError(
            f"--ps={FLAGS.ps} is for --job={SPARSE_EMBEDDINGS}: leave it out, or change --job."
        )
    return _mnist_path(), programs.mnist_cnn(FLAGS.original_python)


def define_flags() -> None:
    """Defines the flags."""
    define_programs()
    flags.DEFINE_integer("rounds", 3, "Turns of each program.", lower_bound=1)
    flags.DEFINE_list("only", [], "Names of programs; default: all.")


def measure(
    program: programs.Program, mnist: pathlib.Path | None, arguments: Sequence[str] = ()
) -> Turn:
    """Runs a program once, with further arguments. Raises RuntimeError if a task fails."""
    cpu, sent = _cpu_s_of_ended_tasks(), _sent_bytes()
    with tempfile.TemporaryDirectory() as folder:
        names = {"dir": folder}
        if mnist:
            names |= {"mnist": str(mnist), "mnist_dir": str(mnist.parent)}
        command = [part.format(**names) for part in program.command] + list(arguments)
        cluster = LocalCluster(
            command,
            chief=program.chief,
            workers=program.workers,
            ps=program.ps,
            log_dir=pathlib.Path(folder) / "logs",
            grace_s=0.0,
            ps_grace_s=0.0,
        )
        with cluster:
            result = cluster.wait(timeout_s=600)
        if result.failed:
            lines = "\n".join(result.last_lines)
            raise RuntimeError(f"{program.name}: {result.failed.name} failed:\n{lines}")
        with open(os.path.join(folder, program.result)) as file:
            speed = json.load(file)["examples_per_second"]
    return Turn(speed, _cpu_s_of_ended_tasks() - cpu, _sent_bytes() - sent)


def _cpu_s_of_ended_tasks() -> float:
    # RUSAGE_CHILDREN counts only children that have ended and been waited for.
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _sent_bytes() -> int:
    interfaces = psutil.net_io_counters(pernic=True)
    return sum(i.bytes_sent for name, i in interfaces.items() if name.startswith("lo"))


def _mnist_path() -> pathlib.Path:
    """Returns --mnist as an absolute path. Raises cli.UsageError if it is not a file."""
    if not FLAGS.mnist or not os.path.isfile(os.path.expanduser(FLAGS.mnist)):
        raise cli.UsageError(f"--mnist={FLAGS.mnist} is not a file: give the path of mnist.npz.")
    return pathlib.Path(FLAGS.mnist).expanduser().absolute()


def main(argv: list[str]) -> int:
    """Measures the programs. Returns the exit code."""
    del argv
    mnist, known = known_programs()
    unknown = set(FLAGS.only) - {program.name for program in known}
    if unknown:
        raise cli.UsageError(
            f"--only={','.join(sorted(unknown))} names no program: give some of "
            f"{', '.join(program.name for program in known)}."
        )
    chosen = [program for program in known if not FLAGS.only or program.name in FLAGS.only]
    speeds: dict[str, list[float]] = {program.name: [] for program in chosen}
    console = rich.console.Console()
    try:
        for number in range(FLAGS.rounds):
            for program in chosen:
                speeds[program.name].append(measure(program, mnist).examples_per_second)
                last = speeds[program.name][-1]
                console.print(f"round {number + 1}  {program.name}  {last:,.0f} examples/s")
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    return _report(console, speeds)


def _report(console: rich.console.Console, speeds: Mapping[str, Sequence[float]]) -> int:
    """Prints medians and ratios. Returns 0 if all available ratios are reached, 1 if not."""
    table = rich.table.Table("program", "median examples/s", "min", "max", "of single")
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    for name, values in speeds.items():
        share = f"{medians[name] / medians['single']:.2f}" if "single" in medians else ""
        figures = [f"{x:,.0f}" for x in (medians[name], min(values), max(values))]
        table.add_row(name, *figures, share)
    console.print(table)
    is_reached = True
    for bar in (*programs.BARS, *programs.SPARSE_BARS):
        ratio = _ratio(speeds, bar.program, bar.baseline)
        if ratio is not None:
            is_reached = is_reached and ratio >= bar.times
            word = "reached" if ratio >= bar.times else "MISSED"
            console.print(
                f"{bar.program} / {bar.baseline}: {ratio:.2f}, wanted {bar.times:.2f}: {word}"
            )
    ratio = _ratio(speeds, *programs.REFERENCE)
    if ratio is not None:
        console.print(f"TensorFlow itself, {' / '.join(programs.REFERENCE)}: {ratio:.2f}")
    return 0 if is_reached else 1


def _ratio(speeds: Mapping[str, Sequence[float]], program: str, baseline: str) -> float | None:
    """Returns the median of the rounds' ratios. None if one of the programs did not run."""
    if program not in speeds or baseline not in speeds:
        return None
    pairs = zip(speeds[program], speeds[baseline], strict=True)
    return statistics.median(ours / theirs for ours, theirs in pairs)


if __name__ == "__main__":
    define_flags()
    cli.run(main)
