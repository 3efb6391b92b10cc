r"""Measures the ways against guide-style scripts, the real tf.estimator, and PyTorch.

    python -m benchmarks.speed --mnist=~/data/mnist.npz
    python -m benchmarks.speed --mnist=~/data/mnist.npz --original_python=/venv-2.15/bin/python
    python -m benchmarks.speed --mnist=~/data/mnist.npz --torch_python=/venv-torch/bin/python
    python -m benchmarks.speed --job=sparse_embeddings --ps=2 \
        --original_python=/venv-2.15/bin/python
    python -m benchmarks.speed --job=columns --kind=vocabulary --ps=2
    python -m benchmarks.speed --job=files --kind=images

Trains on two trainers: mnist_cnn with batches of 64, sparse_embeddings with batches of 512, one of
the models of baselines/original_columns.py (--job=columns), or on the files of
baselines/original_files.py (--job=files). In a round, all programs run at once, in turns in which
the others are paused. That takes up to 500 MB per process: --only chooses some programs. Prints
medians and the ratios of docs/performance.md. Exit code: 0 if all ratios are reached, 1 if not, 2
if a program could not run.
"""

from __future__ import annotations

import os
import pathlib
import statistics
import sys
from collections.abc import Mapping, Sequence

import rich.console
import rich.table
from absl import flags

from benchmarks import programs, turns
from modern.process import cli

FLAGS = flags.FLAGS
MNIST_CNN, SPARSE_EMBEDDINGS, COLUMNS, FILES = "mnist_cnn", "sparse_embeddings", "columns", "files"


def define_programs() -> None:
    """Defines the flags that choose the programs."""
    flags.DEFINE_string("mnist", None, "Keras' mnist.npz, or one with its keys.")
    jobs = [MNIST_CNN, SPARSE_EMBEDDINGS, COLUMNS, FILES]
    flags.DEFINE_enum("job", MNIST_CNN, jobs, "The job to train.")
    kinds = [*programs.COLUMNS, *programs.FILES]
    flags.DEFINE_enum(
        "kind", None, kinds, "The model of --job=columns, or the files of --job=files."
    )
    flags.DEFINE_integer("ps", 1, "Parameter servers. mnist_cnn has one.", lower_bound=1)
    flags.DEFINE_string("original_python", None, "A Python that has TensorFlow 2.15.")
    flags.DEFINE_string("torch_python", None, "A Python that has PyTorch, for mnist_cnn.")


def known_programs() -> tuple[pathlib.Path | None, list[programs.Program]]:
    """Returns the path of --mnist, if --job reads it, and the programs of --job.

    Raises:
      cli.UsageError: The flags contradict each other, or --mnist is not a file.
    """
    kinds = {COLUMNS: programs.COLUMNS, FILES: programs.FILES}.get(FLAGS.job, ())
    if kinds and FLAGS.kind not in kinds:
        problem = f"--kind={FLAGS.kind} is not of" if FLAGS.kind else "--kind is missing for"
        raise cli.UsageError(f"{problem} --job={FLAGS.job}: give {' or '.join(kinds)}.")
    of_job = {
        "ps": (SPARSE_EMBEDDINGS, COLUMNS, FILES),
        "kind": (COLUMNS, FILES),
        "torch_python": (MNIST_CNN,),
    }
    for name, jobs in of_job.items():
        if FLAGS[name].present and FLAGS.job not in jobs:
            raise cli.UsageError(
                f"--{name}={FLAGS[name].value} is for --job={' or '.join(jobs)}: leave it out, or "
                "change --job."
            )
    if FLAGS.job == SPARSE_EMBEDDINGS:
        return None, programs.sparse_embeddings(FLAGS.original_python, FLAGS.ps)
    if kinds:
        make = programs.columns if FLAGS.job == COLUMNS else programs.files
        return None, make(FLAGS.kind, FLAGS.original_python, FLAGS.ps)
    return _mnist_path(), programs.mnist_cnn(FLAGS.original_python, FLAGS.torch_python)


def define_flags() -> None:
    """Defines the flags."""
    define_programs()
    flags.DEFINE_integer("rounds", 3, "Runs of each program.", lower_bound=1)
    flags.DEFINE_list("only", [], "Names of programs; default: all.")


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
            for name, speed in turns.run(chosen, mnist).items():
                speeds[name].append(speed)
                console.print(f"round {number + 1}  {name}  {speed:,.0f} examples/s")
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
