"""One comparison: initial weights, the exact runs, the rounds in turns, and the checks."""

from __future__ import annotations

import dataclasses
import importlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import rich.console
import rich.progress

from benchmarks import checks, own_job, runner, ways
from benchmarks.report import Span
from modern import cli
from modern.cluster.task import TaskReport


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a comparison found.

    Attributes:
      results: by way, the content of each result.json.
      checks: all checks of equivalence.
      spans: the processes' lives, for the timeline.
      notes: what a reader must know.
    """

    results: dict[str, list[dict[str, Any]]]
    checks: list[checks.Check]
    spans: list[Span]
    notes: list[str]


class Comparison:
    """Trains a job in several ways.

    Args:
      setting: what is trained, and how often.
      names: which ways.
      output_dir: for the runs.
      console: where progress is shown.
    """

    def __init__(
        self,
        setting: ways.Setting,
        names: Sequence[str],
        output_dir: str,
        console: rich.console.Console,
    ) -> None:
        self._setting, self._names, self._output_dir = setting, list(names), output_dir
        self._console = console
        self._notes: list[str] = []
        self._initial: dict[str, np.ndarray] = {}
        self._own: own_job.Preparation | None = None

    def run(self, exact_steps: int, limits: checks.Limits) -> Outcome:
        """Runs all of it.

        Raises:
          runner.RunFailedError: something could not run.
        """
        found: list[checks.Check] = []
        with rich.progress.Progress(
            rich.progress.SpinnerColumn(),
            rich.progress.TextColumn("{task.description}"),
            rich.progress.TimeElapsedColumn(),
            console=self._console,
            transient=True,
        ) as progress:
            shown = progress.add_task("starting")

            def show(text: str) -> None:
                progress.update(shown, description=text)

            show("initial weights")
            self._make_initial_weights(exact_steps)
            if exact_steps:
                found += self._exact(exact_steps, limits, show)
            else:
                self._notes.append("The exact tier was left out (--exact_steps=0).")
            results, spans = self._rounds(show)
        groups = [results]
        if self._own:
            results = self._own.adjusted(results)
            groups = self._own.comparable(results)
        planned, slack = self._planned(results)
        found += checks.consumed({way: results[way] for way in planned}, planned, slack)
        for group in groups:
            found += checks.statistical(group, limits)
        found += checks.trajectories(results, limits)
        notes = [*self._notes, *(self._own.notes if self._own else [])]
        return Outcome(results, found, spans, notes)

    def _exact(
        self, steps: int, limits: checks.Limits, show: Callable[[str], None]
    ) -> list[checks.Check]:
        """All at once: time does not matter here, and starting costs more than training."""
        if self._own:
            plan = self._own.exact_plan(steps)
            if plan is None:
                return []
        else:
            plan = _ExactPlan(self._setting, self._names, self._output_dir, steps)
        show(f"exact: {len(plan.groups)} short trainings side by side")
        with runner.Groups() as groups:
            for group in plan.groups:
                groups.start(group, 0)
            results = {group: groups.wait(group, 0) for group in plan.groups}
            groups.finish()
        weights = {
            group.name: self._weights(group.way, result["checkpoint"])
            for group, result in results.items()
        }
        return checks.exact(plan.pairs(weights), self._initial, limits)

    def _weights(self, way: str, path: str) -> dict[str, np.ndarray]:
        """Returns the weights in a way's checkpoint, under the names of the initial ones."""
        if self._own:
            return self._own.weights(way, path)
        from benchmarks import checkpoint_weights  # TensorFlow: only once it is needed

        return checkpoint_weights.read(path, self._initial, self._renamed(way))

    def _renamed(self, way: str) -> dict[str, str]:
        """From a weight's name in a way's checkpoints to its name in modern/jobs."""
        if way != "legacy":
            return {}
        job = importlib.import_module(f"legacy.jobs.{self._setting.job}")
        return getattr(job, "WEIGHT_NAMES", {})

    def _make_initial_weights(self, exact_steps: int) -> None:
        """Writes a name-based checkpoint for each seed, from the job's own initializers."""
        if self._setting.own_job:
            self._own = own_job.Preparation(
                self._setting, self._names, self._output_dir, exact_steps
            )
            self._own.write_initial_weights(range(self._setting.seeds))
            self._initial = self._own.initial
            return
        cli.import_tensorflow_quietly()
        import tf_keras

        from modern import weights

        job = importlib.import_module(f"modern.jobs.{self._setting.job}")
        prefix = ways.init_checkpoint(self._output_dir)
        for seed in reversed(range(self._setting.seeds)):
            tf_keras.utils.set_random_seed(seed)
            self._initial = weights.read(job.build_model())
            weights.save(prefix.replace("{seed}", str(seed)), self._initial)

    def _rounds(
        self, show: Callable[[str], None]
    ) -> tuple[dict[str, list[dict[str, Any]]], list[Span]]:
        """Every way in turn, for each seed and round."""
        planned = [ways.group(self._setting, way, self._output_dir) for way in self._names]
        results: dict[str, list[dict[str, Any]]] = {way: [] for way in self._names}
        began = time.time()
        with runner.Groups() as groups:
            repeats = planned[0].repeats
            for repeat in range(repeats):
                for group in planned:
                    speeds = _speeds(results)
                    show(f"round {repeat + 1} of {repeats}: {group.way}{speeds}")
                    results[group.way].append(groups.train(group, repeat))
            reports = groups.finish()
        for group in planned:
            _add_peak_rss(results[group.way], reports[group])
        spans = [
            _span(group.way, task, results[group.way], began)
            for group in planned
            for task in reports[group]
        ]
        return results, spans

    def _planned(self, results: dict[str, list[dict[str, Any]]]) -> tuple[dict[str, int], int]:
        """Examples per training of each way, and what an asynchronous one may go over."""
        if self._own:
            return self._own.planned()
        batch = next(iter(results.values()))[0]["batch_size"]
        examples = batch * self._setting.steps * self._setting.trainers
        return dict.fromkeys(results, examples), batch * self._setting.trainers


class _ExactPlan:
    """Which short trainings the exact tier needs, and which of them must agree."""

    def __init__(
        self, setting: ways.Setting, names: Sequence[str], output_dir: str, steps: int
    ) -> None:
        job = importlib.import_module(f"modern.jobs.{setting.job}")
        batch = setting.batch_size or job.BATCH_SIZE
        trainers = setting.trainers

        def make(way: str, count: int, size: int) -> ways.Group:
            return ways.exact_group(setting, way, output_dir, count, size, steps)

        alone, together = make(ways.SINGLE, 1, batch), make(ways.SINGLE, 1, batch * trainers)
        self._steps = steps
        self._pairs: list[tuple[str, ways.Group, str, ways.Group, str]] = []
        for way in names:
            if way != ways.SINGLE:
                self._pairs.append(
                    (
                        f"one trainer: {way}",
                        make(way, 1, batch),
                        f"{way}, 1 trainer",
                        alone,
                        "single",
                    )
                )
        if "multi_worker_mirrored" in names and trainers > 1:
            way = "multi_worker_mirrored"
            self._pairs.append(
                (
                    f"global batch: {way}",
                    make(way, trainers, batch),
                    f"{way}, {trainers} trainers",
                    together,
                    f"single, batch {batch * trainers}",
                )
            )
        used = [group for _, a, _, b, _ in self._pairs for group in (a, b)]
        self.groups = list(dict.fromkeys(used))

    def pairs(self, weights: dict[str, dict[str, np.ndarray]]) -> list[checks.ExactPair]:
        """The pairs to compare, with the weights that each group (by name) ended with."""
        return [
            checks.ExactPair(
                f"weights after {self._steps} steps, {name}",
                a,
                b,
                weights[ga.name],
                weights[gb.name],
            )
            for name, ga, a, gb, b in self._pairs
        ]


def _speeds(results: dict[str, list[dict[str, Any]]]) -> str:
    """The medians so far, for the progress line."""
    medians = {
        way: float(np.median([run["examples_per_second"] or np.nan for run in runs]))
        for way, runs in results.items()
        if runs
    }
    return "".join(f"  {way} {speed:,.0f}/s" for way, speed in medians.items())


def _add_peak_rss(results: list[dict[str, Any]], tasks: Sequence[TaskReport]) -> None:
    """Adds the peaks of tasks that could not write theirs in time, as the launcher saw them."""
    for result in results:
        for task in tasks:
            if task.peak_rss_mb:
                result["peak_rss_mb"].setdefault(task.name, round(task.peak_rss_mb, 1))


def _span(way: str, task: TaskReport, results: list[dict[str, Any]], began: float) -> Span:
    start = task.started - began
    first = results[0].get("first_step_at")
    trains = task.name in results[0]["examples"]
    return Span(
        way, task.name, start, start + task.seconds, first - began if first and trains else None
    )
