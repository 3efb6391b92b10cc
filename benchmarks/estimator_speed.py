r"""Measures Estimator.train of legacy.estimator against the original's, step for step, on one CPU.

    python -m benchmarks.estimator_speed --original_python=/venv-2.15/bin/python

A tiny model, where a step is little else than the session and its hooks, and mnist_cnn; every run
in a process of its own, in turns, several rounds. Prints medians and their ratios. The original is
measured on its own TensorFlow 2.15, where a Python that has it is given, and on today's, where
tensorflow-estimator 2.15.0 is installed. Exit code: 0 when ours takes at least as many steps per
second as the original on 2.15 and begins no later, 1 when not, 2 when something could not run.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import rich.console
import rich.table
from absl import flags

from modern import cli

FLAGS = flags.FLAGS
_PROGRAM = pathlib.Path(__file__).parent / "baselines" / "estimator_steps.py"
_ROOT = pathlib.Path(__file__).parents[1]
_MODELS = ("tiny", "mnist_cnn")
_FIGURES = ("steps_per_second", "first_step_s", "process_to_first_step_s")


def define_flags() -> None:
    """Defines the flags."""
    flags.DEFINE_string("original_python", None, "A Python that has TensorFlow 2.15.")
    flags.DEFINE_integer("rounds", 5, "How often each is run.", lower_bound=1)
    flags.DEFINE_float(
        "tolerance", 0.0, "How much below 1.0 a ratio may be, for noisy machines.", lower_bound=0.0
    )


def main(argv: list[str]) -> int:
    """Measures and reports; returns the exit code."""
    del argv
    engines = {"ours": (sys.executable, "ours")}
    if FLAGS.original_python:
        engines["original on 2.15"] = (FLAGS.original_python, "installed")
    if importlib.util.find_spec("tensorflow_estimator"):
        engines["original on today's"] = (sys.executable, "original")
    if len(engines) == 1:
        raise cli.UsageError(
            "There is nothing to measure against: give --original_python, or install the extra "
            "`original`."
        )
    found = {(model, name): [] for model in _MODELS for name in engines}
    for _ in range(FLAGS.rounds):
        for model, name in found:
            found[model, name].append(measure(*engines[name], model))
    medians = {
        key: {figure: statistics.median(run[figure] for run in runs) for figure in _FIGURES}
        for key, runs in found.items()
    }
    return _report(medians, list(engines))


def measure(python: str, engine: str, model: str) -> dict[str, float]:
    """One run in a process of its own; returns what it measured.

    Raises:
      cli.UsageError: it failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "figures.json")
        done = subprocess.run(
            [python, _PROGRAM, engine, model, output],
            env={**os.environ, "PYTHONPATH": str(_ROOT), "TMPDIR": folder},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise cli.UsageError(f"{python} cannot train {model}:\n{done.stderr[-2000:]}")
        with open(output, encoding="utf-8") as file:
            return json.load(file)


def _report(medians: dict[tuple[str, str], dict[str, float]], engines: list[str]) -> int:
    """Prints the medians and the ratios; returns 1 where a ratio is not reached."""
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD)
    for column in ("model", "engine", "steps/s", "ours is", "first step s", "of a process"):
        table.add_column(column, justify="left" if column in ("model", "engine") else "right")
    reached = True
    for model in _MODELS:
        ours = medians[model, "ours"]
        for engine in engines:
            row = medians[model, engine]
            ratio = ours["steps_per_second"] / row["steps_per_second"]
            if engine == "original on 2.15":
                later = ours["process_to_first_step_s"] / row["process_to_first_step_s"]
                reached &= ratio >= 1 - FLAGS.tolerance and later <= 1 + FLAGS.tolerance
            figures = [f"{row[figure]:,.2f}" for figure in _FIGURES]
            table.add_row(model, engine, figures[0], f"{ratio:.2f}×", *figures[1:])
    rich.console.Console().print(table)
    return 0 if reached else 1


if __name__ == "__main__":
    define_flags()
    cli.run(main)
