"""Runs a comparison: initial weights, the exact runs, seed after seed in turns, and the checks."""

from __future__ import annotations

import dataclasses
import importlib
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import rich.console
import rich.progress

from benchmarks import runner, ways
from benchmarks.judging import checks, rounding, shares, verdicts
from benchmarks.judging.margins import Margins
from benchmarks.own_jobs import own_job
from benchmarks.reporting.report import Span
from migrate.equivalence import sequential
from modern.launcher.task import TaskReport
from modern.process import quiet_import


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of a comparison.

    Attributes:
      results: Contents of each result.json, by way.
      checks: All checks of equivalence.
      spans: Lifetimes of the processes, for the timeline.
      notes: Sentences that a reader must know.
    """

    results: dict[str, list[dict[str, Any]]]
    checks: list[checks.Check]
    spans: list[Span]
    notes: list[str]


class Comparison:
    """Trains a job in several ways.

    Args:
      setting: The training, and its maximum number of seeds.
      names: The ways.
      output_dir: Folder of the runs.
      console: Console that shows the progress.
      margins: The margins of the job.
      seeds: Number of seeds at the first look.
      max_minutes: No further seed begins after that many minutes.
    """

    def __init__(
        self,
        setting: ways.Setting,
        names: Sequence[str],
        output_dir: str,
        console: rich.console.Console,
        margins: Margins,
        seeds: int = 4,
        max_minutes: float = float("inf"),
    ) -> None:
        self._setting, self._names, self._output_dir = setting, list(names), output_dir
        self._console, self.margins = console, margins
        self._plan = sequential.Plan.geometric(seeds, setting.max_seeds)
        self._deadline = time.monotonic() + 60 * max_minutes
        self._notes: list[str] = []
        self._initial: dict[str, np.ndarray] = {}
        self._own: own_job.Preparation | None = None

    def run(self, exact_steps: int) -> Outcome:
        """Trains seed after seed, until every check has decided or the budget is spent.

        Args:
          exact_steps: Number of steps of the exact tier's trainings. 0 for none.

        Raises:
          runner.RunFailedError: A task could not run.
        """
        all_checks: list[checks.Check] = []
        with rich.progress.Progress(
            rich.progress.SpinnerColumn(),
            rich.progress.TextColumn("{task.description}"),
            rich.progress.TimeElapsedColumn(),
            console=self._console,
            transient=True,
        ) as progress:
            task_id = progress.add_task("starting")

            def show(text: str) -> None:
                progress.update(task_id, description=text)

            show("initial weights")
            if self._setting.own_job:
                self._own = own_job.Preparation(
                    self._setting, self._names, self._output_dir, exact_steps
                )
            self._make_initial_weights(0)
            if self._own:
                self.margins = self._own.margins()
            in_step = [way for way in self._names if ways.is_in_step(way)]
            if _keeps_replicas_apart(self._setting) and in_step:
                self._notes.append(
                    f"{' and '.join(in_step)}: compared exactly with replicas of one process, and "
                    "not with single. Each replica normalizes and augments batches of its own."
                )
            if exact_steps:
                all_checks += self._exact(exact_steps, show)
            else:
                self._notes.append("The weights of the exact tier were left out (--exact_steps=0).")
            results, spans, sampled_checks = self._seeds(show)
        results = self._own.comparable_results(results) if self._own else results
        examples, slack = self._examples(results)
        all_checks += checks.consumed({way: results[way] for way in examples}, examples, slack)
        if not self._own:
            all_checks += self._shares(results)
        all_checks += sampled_checks
        notes = [*self._notes, *(self._own.notes if self._own else [])]
        return Outcome(results, all_checks, spans, notes)

    def _exact(self, steps: int, show: Callable[[str], None]) -> list[checks.Check]:
        """Returns the checks of weights.

        Their trainings all run at the same time: speed does not matter here, and starting costs
        more.
        """
        plan: own_job.ExactPlan | _ExactPlan | None
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
        exact_checks = checks.exact(plan.pairs(weights), self._initial, self.margins)
        if not rounding.needs_control(exact_checks):
            return exact_checks
        show("exact: single once more, from weights that differ by rounding")
        reference = next(group for group in plan.groups if group.way == ways.SINGLE)
        control = self._control(reference, weights[reference.name])
        return rounding.with_control(exact_checks, control)

    def _control(self, reference: ways.Group, expected: dict[str, np.ndarray]) -> checks.Check:
        """Returns the check of a training against itself from initial weights one bit away."""
        from modern.model_files import weights

        initial = ways.init_checkpoint(self._output_dir, self._setting).replace("{seed}", "0")
        prefix = f"{initial}-nudged"
        weights.save(prefix, rounding.nudged(weights.load(initial)))
        group = ways.control_of(reference, prefix)
        with runner.Groups() as groups:
            groups.start(group, 0)
            path = groups.wait(group, 0)["checkpoint"]
            groups.finish()
        pair = checks.ExactPair(
            "rounding", "single, nudged", ways.SINGLE, self._weights(group.way, path), expected
        )
        return checks.exact([pair], self._initial, self.margins)[0]

    def _weights(self, way: str, path: str) -> dict[str, np.ndarray]:
        """Returns the weights in a way's checkpoint, under the names of the initial ones."""
        if self._own:
            return self._own.weights(way, path)
        from benchmarks import checkpoint_weights  # Imports TensorFlow, so only when needed.

        return checkpoint_weights.read(path, self._initial, self._new_names(way))

    def _new_names(self, way: str) -> dict[str, str]:
        """Returns the name in modern/jobs for each name in a way's checkpoints that differs."""
        if way != "legacy":
            return {}
        job = importlib.import_module(f"legacy.jobs.{self._setting.job}")
        return getattr(job, "WEIGHT_NAMES", {})

    def _make_initial_weights(self, seed: int) -> None:
        """Writes a name-based checkpoint for a seed, from the job's own initializers."""
        if self._own:
            self._own.write_initial_weights([seed])
            self._initial = self._own.initial
            return
        quiet_import.import_tensorflow()
        import tf_keras

        from modern.model_files import weights

        job = importlib.import_module(f"modern.jobs.{self._setting.job}")
        prefix = ways.init_checkpoint(self._output_dir)
        tf_keras.utils.set_random_seed(seed)
        initial = weights.read(job.build_model())
        weights.save(prefix.replace("{seed}", str(seed)), initial)
        self._initial = self._initial or initial

    def _seeds(
        self, show: Callable[[str], None]
    ) -> tuple[dict[str, list[dict[str, Any]]], list[Span], list[checks.Check]]:
        """Trains every way in turn, seed after seed. Returns results, spans and checks."""
        groups_of_ways = [ways.group(self._setting, way, self._output_dir) for way in self._names]
        results: dict[str, list[dict[str, Any]]] = {way: [] for way in self._names}
        sampled = verdicts.SampledChecks(self._plan, self.margins)
        began = time.time()
        with runner.Groups() as groups:
            for seed in range(self._setting.max_seeds):
                if seed:
                    self._make_initial_weights(seed)
                for group in groups_of_ways:
                    show(f"seed {seed + 1}: {group.way}{_speeds(results)}")
                    results[group.way].append(groups.train(group, seed))
                sampled.look(self._groups(results), seed + 1)
                if sampled.decided:
                    break
                if seed + 1 >= self._plan.looks[0] and time.monotonic() > self._deadline:
                    self._notes.append(
                        f"The time limit was reached after {seed + 1} seeds (--max_minutes)."
                    )
                    break
            reports = groups.finish()
        for group in groups_of_ways:
            _add_peak_rss(results[group.way], reports[group])
        spans = [
            _span(group.way, task, results[group.way], began)
            for group in groups_of_ways
            for task in reports[group]
        ]
        return results, spans, sampled.checks

    def _groups(self, results: dict[str, list[dict[str, Any]]]) -> Sequence[checks.Results]:
        """Returns groups of results that should agree with the `single` of their group.

        If replicas keep separate state, N of them do not train like one with the global batch. The
        exact tier compares them with N replicas of one process.
        """
        if self._own:
            return self._own.comparable(self._own.comparable_results(results))
        if not _keeps_replicas_apart(self._setting):
            return [results]
        return [{way: runs for way, runs in results.items() if not ways.is_in_step(way)}]

    def _shares(self, results: dict[str, list[dict[str, Any]]]) -> list[checks.Check]:
        """Returns the checks of the examples that each trainer consumed."""
        from modern.records import digests  # Imports TensorFlow, so only when needed.

        return checks.shares(results, shares.ExpectedDigests(self._setting), digests.TOLERANCE)

    def _examples(self, results: dict[str, list[dict[str, Any]]]) -> tuple[dict[str, int], int]:
        """Returns the examples per training of each way, and the slack of asynchronous ways."""
        if self._own:
            return self._own.planned_examples()
        batch = next(iter(results.values()))[0]["batch_size"]
        examples = batch * self._setting.steps * self._setting.trainers
        return dict.fromkeys(results, examples), batch * self._setting.trainers


def _keeps_replicas_apart(setting: ways.Setting) -> bool:
    if setting.own_job:
        return False
    return getattr(importlib.import_module(f"modern.jobs.{setting.job}"), "PER_REPLICA", False)


class _ExactPlan:
    """The short trainings of the exact tier, and the pairs of them that must agree."""

    def __init__(
        self, setting: ways.Setting, names: Sequence[str], output_dir: str, steps: int
    ) -> None:
        job = importlib.import_module(f"modern.jobs.{setting.job}")
        batch = setting.batch_size or job.BATCH_SIZE
        trainers = setting.trainers

        def make(way: str, count: int, size: int) -> ways.Group:
            return ways.exact_group(setting, way, output_dir, count, size, steps)

        single = make(ways.SINGLE, 1, batch)
        self._steps = steps
        self._pairs: list[tuple[str, ways.Group, str, ways.Group, str]] = []
        for way in names:
            if way != ways.SINGLE:
                self._pairs.append(
                    (
                        f"one trainer: {way}",
                        make(way, 1, batch),
                        f"{way}, 1 trainer",
                        single,
                        "single",
                    )
                )
        for way in filter(ways.is_in_step, names if trainers > 1 else ()):
            whole = make(ways.SINGLE, 1, batch * trainers), f"single, batch {batch * trainers}"
            if _keeps_replicas_apart(setting):
                replicas = make(ways.MIRRORED, trainers, batch)
                whole = replicas, f"mirrored, {trainers} replicas in one process"
            self._pairs.append(
                (
                    f"global batch: {way}",
                    make(way, trainers, batch),
                    f"{way}, {trainers} trainers",
                    *whole,
                )
            )
        groups = [group for _, a, _, b, _ in self._pairs for group in (a, b)]
        self.groups = list(dict.fromkeys(groups))

    def pairs(self, weights: dict[str, dict[str, np.ndarray]]) -> list[checks.ExactPair]:
        """Returns the pairs to compare.

        Args:
          weights: Final weights of each group, by its name.
        """
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
    """Returns the medians so far, for the progress line."""
    medians = {
        way: statistics.median(run["examples_per_second"] for run in runs)
        for way, runs in results.items()
        if runs and all(run["examples_per_second"] for run in runs)
    }
    return "".join(f"  {way} {speed:,.0f}/s" for way, speed in medians.items())


def _add_peak_rss(results: list[dict[str, Any]], tasks: Sequence[TaskReport]) -> None:
    """Adds the launcher's measurement for tasks that ended before they could write their peak."""
    for result in results:
        for task in tasks:
            if task.peak_rss_mb:
                result["peak_rss_mb"].setdefault(task.name, round(task.peak_rss_mb, 1))


def _span(way: str, task: TaskReport, results: list[dict[str, Any]], began: float) -> Span:
    start = task.started - began
    first = results[0].get("first_step_at")
    trains = ways.trains(way, task.task_type)
    return Span(
        way, task.name, start, start + task.seconds, first - began if first and trains else None
    )
