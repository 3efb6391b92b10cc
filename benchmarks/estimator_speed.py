r"""Measures Estimator.train of legacy.estimator against the original's, step for step, on one CPU.

    python -m benchmarks.estimator_speed --original_python=/venv-2.15/bin/python

The models are mnist_cnn and a tiny one, whose step is mostly the overhead of the session and its
hooks. In each round every engine starts a process, one after the other. After their warm-up they
train in short turns, one at a time, so that a slow phase of the machine affects all of them. Prints
the medians of the figures, and the medians of their ratios by round and turn. The first step is
timed from the start of its process. The original is measured on its own TensorFlow 2.15, if
--original_python has it, and on today's, if tensorflow-estimator 2.15.0 is installed. Exit code: 0
if ours takes at least as many steps per second as the original on 2.15 and begins no later, 1 if
not, 2 if a process could not run.
"""

from __future__ import annotations

import contextlib
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

from modern.process import cli

FLAGS = flags.FLAGS
_PROGRAM = pathlib.Path(__file__).parent / "baselines" / "estimator_steps.py"
_ROOT = pathlib.Path(__file__).parents[1]
_MODELS = ("tiny", "mnist_cnn")
_SPEED, _BEGINS = "steps_per_second", "process_to_first_step_s"

# Values of each figure by engine. Equal indices are the same round or turn for all engines.
_Figures = dict[str, dict[str, list[float]]]


def define_flags() -> None:
    """Defines the flags."""
    flags.DEFINE_string("original_python", None, "A Python that has TensorFlow 2.15.")
    flags.DEFINE_integer("rounds", 5, "How often each is started.", lower_bound=1)
    flags.DEFINE_integer("turns", 10, "How often each then trains, in a round.", lower_bound=1)
    flags.DEFINE_float(
        "tolerance", 0.0, "How much below 1.0 a ratio may be, for noisy machines.", lower_bound=0.0
    )


def main(argv: list[str]) -> int:
    """Measures and reports. Returns the exit code."""
    del argv
    engines = {"ours": (sys.executable, "ours")}
    if FLAGS.original_python:
        engines["original on 2.15"] = (FLAGS.original_python, "installed")
    if importlib.util.find_spec("tensorflow_estimator"):
        engines["original on today's"] = (sys.executable, "original")
    if len(engines) == 1:
        raise cli.UsageError(
            "There is no baseline: give --original_python, or install the extra `original`."
        )
    is_reached = True
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD)
    for column in (
        "model",
        "engine",
        "steps/s",
        "ours is",
        "process to first step s",
        "ours takes",
    ):
        table.add_column(column, justify="left" if column in ("model", "engine") else "right")
    for model in _MODELS:
        figures: _Figures = {engine: {_SPEED: [], _BEGINS: []} for engine in engines}
        for _ in range(FLAGS.rounds):
            measure_round(engines, model, FLAGS.turns, figures)
        is_reached &= _report(model, figures, FLAGS.tolerance, table)
    rich.console.Console().print(table)
    return 0 if is_reached else 1


class _Engine:
    """A process that trains in turns."""

    def __init__(self, name: str, python: str, engine: str, model: str, folder: str) -> None:
        self._name = f"{name} ({python}) cannot train {model}"
        self._log = os.path.join(folder, "log")
        with open(self._log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [python, _PROGRAM, engine, model],
                env={**os.environ, "PYTHONPATH": str(_ROOT), "TMPDIR": folder},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdin is not None  # Both are pipes.
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def next_figures(self) -> dict[str, float]:
        """Returns the next figures that it prints. Raises cli.UsageError if it ended instead."""
        line = self._output.readline()
        if line:
            return json.loads(line)
        self._process.wait()
        with open(self._log, encoding="utf-8") as log:
            raise cli.UsageError(f"{self._name}:\n{log.read()[-2000:]}")

    def turn(self) -> dict[str, float]:
        """Runs a turn of training."""
        self._input.write("\n")
        self._input.flush()
        return self.next_figures()

    def end(self) -> None:
        """Kills the process."""
        self._process.kill()
        self._process.communicate()


def measure_round(
    engines: dict[str, tuple[str, str]], model: str, turns: int, figures: _Figures
) -> None:
    """Starts every engine, lets them train in turns, and adds their figures to `figures`.

    Args:
      engines: (Python, engine of benchmarks/baselines/estimator_steps.py) by name.
      model: Model of that program.
      turns: Number of turns of each engine, after its warm-up.
      figures: Figures to extend.

    Raises:
      cli.UsageError: An engine failed.
    """
    with contextlib.ExitStack() as stack:
        running = {}
        for name, (python, engine) in engines.items():
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            running[name] = _Engine(name, python, engine, model, folder)
            stack.callback(running[name].end)
            for figure, value in running[name].next_figures().items():
                figures[name][figure].append(value)
        order = list(running)
        for _ in range(turns):
            # The order alternates, so that no engine always has the first turn.
            order.reverse()
            for name in order:
                figures[name][_SPEED].append(running[name].turn()[_SPEED])


def _report(model: str, figures: _Figures, tolerance: float, table: rich.table.Table) -> bool:
    """Adds a model's rows to the table. Returns whether its ratios are reached."""
    is_reached = True
    for engine, of_engine in figures.items():
        speed_ratio, start_ratio = (
            _ratio(figures["ours"][f], of_engine[f]) for f in (_SPEED, _BEGINS)
        )
        if engine == "original on 2.15":
            is_reached &= speed_ratio >= 1 - tolerance and start_ratio <= 1 + tolerance
        medians = [statistics.median(of_engine[figure]) for figure in (_SPEED, _BEGINS)]
        table.add_row(
            *(model, engine, f"{medians[0]:,.1f}", f"{speed_ratio:.3f}×"),
            *(f"{medians[1]:.2f}", f"{start_ratio:.2f}×"),
        )
    return is_reached


def _ratio(ours: list[float], theirs: list[float]) -> float:
    """Returns the median of the ratios."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


if __name__ == "__main__":
    define_flags()
    cli.run(main)
