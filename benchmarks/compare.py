r"""Trains a job in every way on real clusters on this machine. Compares throughput and results.

    python -m benchmarks.compare --job=mnist_cnn --workers=2 --ps=1 --output_dir=report
    python -m benchmarks.compare --flagfile=benchmarks/thorough.flags \
        --data_dir=~/data --dataset=mnist

A job of your own, unmodified, and its Keras port if it has one:

    python -m benchmarks.compare --model_fn=my_job:model_fn --input_fn=my_job:input_fn \
        --eval_input_fn=my_job:eval_input_fn --keras_model=my_port:build_model

The ways: `single` (one process with all cores: the upper limit), `legacy` (an Estimator with chief,
workers, ps and evaluator), `parameter_server` and `multi_worker_mirrored`. All train on the same
examples from the same initial weights and take turns. They are real processes that communicate by
gRPC. Seeds are added until every check has decided, or until --max_seeds or --max_minutes is spent.
Writes OUTPUT_DIR/report.json and report.html.

Exit code: 0 the ways are equivalent, 1 they are different, 2 a task could not run (the message
names the task and the reason), 3 inconclusive: the budget was spent before every check had decided.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import shlex
import shutil
import sys
import time
from collections.abc import Sequence

import rich.console
from absl import flags

import benchmarks.reporting.report
from benchmarks import pool as pools
from benchmarks import rates, runner, ways
from benchmarks.comparison import Comparison
from benchmarks.judging import margins
from benchmarks.reporting import report_html, report_table
from migrate import equivalence
from migrate.equivalence import sequential
from modern.process import chosen_keras, cli, files, folders
from modern.tasks import flags as common_flags
from modern.tasks import own_job_flags

COULD_NOT_RUN = 2
_DRAWN_VERDICTS = 200  # Takes about five seconds.
EXIT_CODES = {equivalence.EQUIVALENT: 0, equivalence.DIFFERENT: 1, equivalence.INCONCLUSIVE: 3}
FLAGS = flags.FLAGS
MARGIN_FLAGS = {
    "loss_margin": "of the final evaluation loss",
    "metric_margin": "of any other final metric, such as accuracy",
    "curve_margin": "of the mean training loss in a stretch of the training",
    "exact_margin": "of a weight of the exact tier, as a part of its movement",
}


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
    flags.DEFINE_enum(
        "learning_rate_decay",
        None,
        ("none", "linear"),
        "As in modern.train. A rate that falls to zero takes most of the noise from the results. "
        "Default: linear, or none for a job whose rate must not fall.",
    )
    flags.DEFINE_integer(
        "seeds",
        4,
        "Seeds at the first look. Each decides the initial weights and the order of the examples.",
        lower_bound=2,
    )
    flags.DEFINE_integer(
        "max_seeds", 10, "Add seeds up to this number while a check is undecided.", lower_bound=2
    )
    flags.DEFINE_float(
        "max_minutes", 60.0, "Begin no further seed after so many minutes.", lower_bound=0.0
    )
    flags.DEFINE_integer(
        "exact_steps",
        None,
        f"Steps of the exact checks; 0: none; default: the job's, in general {ways.EXACT_STEPS}.",
        lower_bound=0,
    )
    flags.DEFINE_list(
        "ways",
        None,
        "Which ways; default: all. single is the reference of all, the ways of a --keras_model "
        "begin with keras_, and those of --keras=3 with keras3_.",
    )
    flags.DEFINE_enum(
        "keras",
        "2",
        [str(version) for version in chosen_keras.VERSIONS],
        "3: also the ways of modern.train with --keras=3; the --keras_model is one of Keras 3.",
    )
    flags.DEFINE_enum(
        "gradient_compression", "none", ("none", "bfloat16", "float16"), "As in modern.train."
    )
    for name, meaning in MARGIN_FLAGS.items():
        flags.DEFINE_float(
            name, None, f"Largest equivalent difference {meaning}; default: the job's.", 0.0
        )
    flags.DEFINE_string("output_dir", "report", "Where the report and the runs go.")
    flags.DEFINE_boolean("overwrite", False, "Replace an earlier report in --output_dir.")


def main(argv: list[str]) -> int:
    """Runs the comparison. Returns the exit code."""
    del argv
    own_job_flags.check(port_of_model_fn=True)
    if FLAGS.keras == "3" and FLAGS.model_fn:
        if not FLAGS.keras_model:
            raise cli.UsageError(
                f"--keras=3 needs --keras_model=package.module:function, a port to Keras 3: "
                f"--model_fn={FLAGS.model_fn} itself trains with tf_keras."
            )
        # This process builds the port and runs the model_fn.
        chosen_keras.choose(3, beside_tf_keras=True)
    setting, names = _setting(), _ways()
    command = "python -m benchmarks.compare " + shlex.join(sys.argv[1:])
    return compare(
        setting,
        names,
        ways.exact_steps(setting) if FLAGS.exact_steps is None else FLAGS.exact_steps,
        dataclasses.replace(margins.OF_JOB[FLAGS.job], **_margins_of_flags()),
        _output_dir(),
        command,
        FLAGS.seeds,
        FLAGS.max_minutes,
    )


def compare(
    setting: ways.Setting,
    names: Sequence[str],
    exact_steps: int,
    limits: margins.Margins,
    output_dir: str,
    command: str,
    seeds: int = 4,
    max_minutes: float = float("inf"),
) -> int:
    """Compares the ways, writes the report and prints its table.

    Args:
      setting: The training, and its maximum number of seeds.
      names: The ways, including `single`.
      exact_steps: Number of steps of the exact tier's trainings. 0 for none.
      limits: The margins of a documented job. A user's job gets its margins from its preparation.
      output_dir: Folder of report.json, report.html and the runs.
      command: Command that repeats the comparison, for the report.
      seeds: Number of seeds at the first look.
      max_minutes: No further seed begins after that many minutes.

    Returns:
      The exit code.
    """
    console = rich.console.Console()
    began = time.monotonic()
    try:
        comparison = Comparison(setting, names, output_dir, console, limits, seeds, max_minutes)
        outcome = comparison.run(exact_steps)
    except runner.RunFailedError as error:
        print(f"The comparison could not run. {error}", file=sys.stderr)
        return COULD_NOT_RUN
    report = benchmarks.reporting.report.build(
        setting.job,
        outcome.results[ways.SINGLE][0]["dataset"],
        outcome.results,
        outcome.checks,
        command=command,
        spans=outcome.spans,
        limits=vars(comparison.margins),
        notes=[*outcome.notes, _error_rates(setting, names, limits, seeds)],
    )
    benchmarks.reporting.report.write(report, os.path.join(output_dir, "report.json"))
    page = report_html.write(report, os.path.join(output_dir, "report.html"))
    report_table.print_table(report, console)
    console.print(f"{page}  ({time.monotonic() - began:.0f} s)", soft_wrap=True)
    return EXIT_CODES[report["equivalence"]["outcome"]]


def _error_rates(
    setting: ways.Setting, names: Sequence[str], limits: margins.Margins, seeds: int
) -> str:
    """Returns a sentence with the error rates of a setting."""
    pool = pools.find(setting)
    if pool is None:
        return rates.sentence(None)
    plan = sequential.Plan.geometric(seeds, setting.max_seeds)
    return rates.sentence(rates.of_equal_ways(pool, plan, limits, names, _DRAWN_VERDICTS))


def _ways() -> list[str]:
    """Returns --ways. Raises UsageError if a way is unknown, or the reference is missing."""
    names = [*ways.NAMES, *(ways.PORT_NAMES if FLAGS.keras_model else ())]
    names += ways.KERAS3_NAMES if FLAGS.keras == "3" and not FLAGS.model_fn else ()
    if FLAGS.ways is None:
        return names
    unknown = sorted(set(FLAGS.ways) - set(names))
    if unknown:
        raise cli.UsageError(
            f"--ways={','.join(FLAGS.ways)}: there is no way {unknown[0]!r}; choose from "
            f"{', '.join(names)}."
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
        FLAGS.model_fn,
        FLAGS.input_fn,
        FLAGS.eval_input_fn,
        FLAGS.model_params,
        FLAGS.keras_model,
        int(FLAGS.keras),
        _margins_of_flags(),
    )


def _setting() -> ways.Setting:
    if FLAGS.warmup_steps >= FLAGS.steps:
        raise cli.UsageError(
            f"--warmup_steps={FLAGS.warmup_steps} leaves nothing of --steps={FLAGS.steps}: "
            "lower it, so that there is something to measure."
        )
    if FLAGS.max_seeds < FLAGS.seeds:
        raise cli.UsageError(
            f"--max_seeds={FLAGS.max_seeds} is less than --seeds={FLAGS.seeds}, the seeds at the "
            "first look: raise it, or lower --seeds."
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
        learning_rate_decay=FLAGS.learning_rate_decay or _default_decay(),
        max_seeds=FLAGS.max_seeds,
        gradient_compression=FLAGS.gradient_compression,
        own_job=_own_job(),
    )


def _default_decay() -> str:
    """Returns the decay of the learning rate that takes the noise from the results of the job."""
    is_fixed = not FLAGS.model_fn and FLAGS.job in common_flags.FIXED_LEARNING_RATE
    return "none" if is_fixed else "linear"


def _margins_of_flags() -> dict[str, float]:
    """Returns the margins that flags set, by their names in `Margins`."""
    values = {name.removesuffix("_margin"): FLAGS[name].value for name in MARGIN_FLAGS}
    return {name: value for name, value in values.items() if value is not None}


def _output_dir() -> str:
    """Returns --output_dir, cleared. Raises UsageError if that would delete an earlier report."""
    files.check_local(FLAGS.output_dir, "--output_dir", "the comparison runs on this machine")
    path = pathlib.Path(FLAGS.output_dir).expanduser().absolute()
    if path.is_file() or (path.is_dir() and any(path.iterdir()) and not FLAGS.overwrite):
        raise cli.UsageError(
            f"--output_dir={FLAGS.output_dir} is there already: name another, or give --overwrite."
        )
    for name in ("runs", "initial"):
        shutil.rmtree(path / name, ignore_errors=True)
    folders.check_writable(path, "--output_dir")
    return str(path)


if __name__ == "__main__":
    define_flags()
    cli.run(main)
