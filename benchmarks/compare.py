r"""Trains a job in every way on real clusters on this machine; compares throughput and results.

    python -m benchmarks.compare --job=mnist_cnn --workers=2 --ps=1 --output_dir=report
    python -m benchmarks.compare --flagfile=benchmarks/thorough.flags \
        --data_dir=~/data --dataset=mnist

A job of your own, unmodified, and its Keras port if there is one:

    python -m benchmarks.compare --model_fn=my_job:model_fn --input_fn=my_job:input_fn \
        --eval_input_fn=my_job:eval_input_fn --keras_model=my_port:build_model

The ways: `single` (one process with all cores: the limit), `legacy` (an Estimator with chief,
workers, ps and evaluator), `parameter_server` and `multi_worker_mirrored`. All train on the same
examples from the same initial weights, take turns, and are real processes with real gRPC between
them. Leaves OUTPUT_DIR/report.json and report.html.

Exit code: 0 the ways are equivalent, 1 they are not, 2 something could not run (the message says
  which task and why).
"""

from __future__ import annotations

import os
import pathlib
import shlex
import shutil
import sys
import time
from collections.abc import Sequence

import rich.console
from absl import flags

import benchmarks.report
from benchmarks import checks, report_html, report_table, runner, ways
from benchmarks.comparison import Comparison
from modern import cli, own_job_flags

EQUIVALENT, DIFFERENT, COULD_NOT_RUN = 0, 1, 2
FLAGS = flags.FLAGS


def define_flags() -> None:
    """Defines the flags."""
    flags.DEFINE_string("job", "mnist_cnn", "Which documented training.")
    own_job_flags.define_model_fn()
    own_job_flags.define_keras_model()
    flags.DEFINE_string("dataset", None, "As in modern.train; default: the job's first.")
    flags.DEFINE_string("data_dir", None, "As in modern.train.")
    flags.DEFINE_integer("workers", 2, "Trainers in each way.", lower_bound=1)
    flags.DEFINE_integer("ps", 1, "Parameter servers.", lower_bound=1)
    flags.DEFINE_boolean("evaluator", True, "Whether the clusters have an evaluator.")
    flags.DEFINE_integer("batch_size", None, "Examples per trainer and step.", lower_bound=1)
    flags.DEFINE_float("learning_rate", None, "For one trainer's batch.", lower_bound=0.0)
    flags.DEFINE_integer("steps", 150, "Batches per trainer in each training.", lower_bound=2)
    flags.DEFINE_integer("warmup_steps", 30, "Of these, left out of the throughput.", lower_bound=0)
    flags.DEFINE_integer("seeds", 5, "Seeds; each decides weights and order.", lower_bound=1)
    flags.DEFINE_integer("rounds", 1, "Trainings of each way per seed.", lower_bound=1)
    flags.DEFINE_integer("exact_steps", 20, "Steps of the exact checks; 0: none.", lower_bound=0)
    flags.DEFINE_list(
        "ways",
        None,
        "Which ways; default: all. single is the reference of all, and the ways of a --keras_model "
        "begin with keras_.",
    )
    flags.DEFINE_enum(
        "gradient_compression", "none", ("none", "bfloat16", "float16"), "As in modern.train."
    )
    defaults = checks.Limits()
    for name, value, meaning in (
        ("exact_limit", defaults.exact, "Largest deviation of a weight, in parts of its movement."),
        ("loss_margin", defaults.loss_margin, "Of evaluation loss, in parts of single's drop."),
        ("accuracy_margin", defaults.accuracy_margin, "Of accuracy."),
        ("trajectory_limit", defaults.trajectory, "Outside the envelope, in parts of the drop."),
    ):
        flags.DEFINE_float(name, value, meaning, lower_bound=0.0)
    flags.DEFINE_string("output_dir", "report", "Where the report and the runs go.")
    flags.DEFINE_boolean("overwrite", False, "Replace an earlier report in --output_dir.")


def main(argv: list[str]) -> int:
    """Runs the comparison; returns the exit code."""
    del argv
    own_job_flags.check(port_of_model_fn=True)
    setting, limits, names = _setting(), _limits(), _ways()
    command = "python -m benchmarks.compare " + shlex.join(sys.argv[1:])
    return compare(setting, names, FLAGS.exact_steps, limits, _output_dir(), command)


def compare(
    setting: ways.Setting,
    names: Sequence[str],
    exact_steps: int,
    limits: checks.Limits,
    output_dir: str,
    command: str,
) -> int:
    """Compares, writes the report and prints its table.

    Args:
      setting: what is trained, and how often.
      names: which ways; `single` among them.
      exact_steps: how long the trainings of the exact tier are; 0: none.
      limits: what is tolerated.
      output_dir: where report.json, report.html and the runs go.
      command: what repeats this, for the report.

    Returns:
      EQUIVALENT, DIFFERENT or COULD_NOT_RUN.
    """
    console = rich.console.Console()
    began = time.monotonic()
    try:
        found = Comparison(setting, names, output_dir, console).run(exact_steps, limits)
    except runner.RunFailedError as error:
        print(f"The comparison could not run. {error}", file=sys.stderr)
        return COULD_NOT_RUN
    report = benchmarks.report.build(
        setting.job,
        found.results[ways.SINGLE][0]["dataset"],
        found.results,
        found.checks,
        command=command,
        spans=found.spans,
        limits=vars(limits),
        notes=found.notes,
    )
    benchmarks.report.write(report, os.path.join(output_dir, "report.json"))
    page = report_html.write(report, os.path.join(output_dir, "report.html"))
    report_table.print_table(report, console)
    console.print(f"{page}  ({time.monotonic() - began:.0f} s)", soft_wrap=True)
    return EQUIVALENT if report["equivalence"]["passed"] else DIFFERENT


def _ways() -> list[str]:
    """Returns --ways; raises UsageError where one is not known, or the reference is left out."""
    known = [*ways.NAMES, *(ways.PORT_NAMES if FLAGS.keras_model else ())]
    if FLAGS.ways is None:
        return known
    unknown = sorted(set(FLAGS.ways) - set(known))
    if unknown:
        raise cli.UsageError(
            f"--ways={','.join(FLAGS.ways)}: there is no way {unknown[0]!r}; choose from "
            f"{', '.join(known)}."
        )
    if ways.SINGLE not in FLAGS.ways:
        raise cli.UsageError(f"--ways={','.join(FLAGS.ways)} lacks single, the reference of all.")
    return FLAGS.ways


def _own_job() -> ways.OwnJob | None:
    if not FLAGS.model_fn:
        return None
    if not FLAGS.eval_input_fn:
        raise cli.UsageError(
            f"--model_fn={FLAGS.model_fn} needs --eval_input_fn=package.module:function: the ways "
            "are compared by what they evaluate to."
        )
    return ways.OwnJob(
        FLAGS.model_fn, FLAGS.input_fn, FLAGS.eval_input_fn, FLAGS.model_params, FLAGS.keras_model
    )


def _setting() -> ways.Setting:
    if FLAGS.warmup_steps >= FLAGS.steps:
        raise cli.UsageError(
            f"--warmup_steps={FLAGS.warmup_steps} leaves nothing of --steps={FLAGS.steps}: "
            "lower it, so that there is something to measure."
        )
    return ways.Setting(
        job=FLAGS.model_fn or FLAGS.job,
        dataset=FLAGS.dataset,
        data_dir=os.path.expanduser(FLAGS.data_dir) if FLAGS.data_dir else None,
        batch_size=FLAGS.batch_size,
        learning_rate=FLAGS.learning_rate,
        trainers=FLAGS.workers,
        ps=FLAGS.ps,
        evaluator=FLAGS.evaluator,
        steps=FLAGS.steps,
        warmup_steps=FLAGS.warmup_steps,
        seeds=FLAGS.seeds,
        rounds=FLAGS.rounds,
        gradient_compression=FLAGS.gradient_compression,
        own_job=_own_job(),
    )


def _limits() -> checks.Limits:
    return checks.Limits(
        FLAGS.exact_limit, FLAGS.loss_margin, FLAGS.accuracy_margin, FLAGS.trajectory_limit
    )


def _output_dir() -> str:
    """--output_dir, empty; raises UsageError where that would lose an earlier report."""
    path = pathlib.Path(FLAGS.output_dir).expanduser().absolute()
    if path.is_file() or (path.is_dir() and any(path.iterdir()) and not FLAGS.overwrite):
        raise cli.UsageError(
            f"--output_dir={FLAGS.output_dir} is there already: name another, or give --overwrite."
        )
    for name in ("runs", "initial"):
        shutil.rmtree(path / name, ignore_errors=True)
    path.mkdir(parents=True, exist_ok=True)
    return str(path)


if __name__ == "__main__":
    define_flags()
    cli.run(main)
