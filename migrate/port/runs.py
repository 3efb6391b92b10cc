"""Runs each text of a program, and compares its results with those of the unmodified program.

runs = Runs(program, "ported", Progress())
before = runs.unmodified()
after = runs.legacy()
after.verdict  # "same"

Each run is a step, which is not repeated once its result is recorded.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from migrate import same_run
from migrate.port import (
    comparison,
    estimators,
    first_values,
    pairing,
    randomness,
    rewriting,
    run_errors,
    running,
    steps,
    weights,
)
from migrate.port.copies import mirror
from migrate.port.copies.program import Program
from migrate.port.estimators import Estimator
from migrate.port.in_program import places
from migrate.port.progress import Progress
from migrate.port.steps import Steps
from migrate.port.variations import Variations
from modern.process import cli, quiet_import

SAME, DIFFERENT, FAILED = "same", "different", "failed"
STAYS = "stays on tf_keras"
_LEAST_SECONDS = 600.0


@dataclasses.dataclass(frozen=True)
class Attempt:
    """A text of the program that was run and compared.

    Attributes:
      source: Folder of the text.
      verdict: SAME, DIFFERENT, FAILED, STAYS or same_run.COULD_NOT_TELL.
      lines: Differences, or the error.
      compared: Number of compared parts by kind.
      not_compared: Parts that were not compared, with the reason.
      rungs: Rung of each Estimator in the text that `legacy` has rewritten.
      reasons: Reasons why an Estimator did not reach a higher rung in this text.
      together: Groups of Estimators that rise together.
      notes: Changes that may alter results.
      absent: Parts that the unmodified program does not have.
      details: Extent of some comparisons.
      conditions: Randomness that the runs did not exercise.
      keras: The Keras that trained, with its version, or "".
    """

    source: str
    verdict: str
    lines: tuple[str, ...] = ()
    compared: Mapping[str, int] = dataclasses.field(default_factory=dict)
    not_compared: tuple[str, ...] = ()
    rungs: Mapping[Estimator, str] = dataclasses.field(default_factory=dict)
    reasons: Mapping[Estimator, str] = dataclasses.field(default_factory=dict)
    together: tuple[tuple[Estimator, ...], ...] = ()
    notes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    keras: str = ""


class Runs:
    """The runs of a port.

    Args:
      program: The program.
      output: Folder of the port.
      progress: Shows the progress.
      timeout: Seconds after which the run of the unmodified program is ended.

    Attributes:
      before: Recording of the unmodified program.
      source: Folder of the unmodified text.
      created_estimators: Estimators that the unmodified program created.
    """

    def __init__(
        self, program: Program, output: str, progress: Progress, timeout: float = 3600.0
    ) -> None:
        self._program, self._output, self._progress = program, output, progress
        self._steps = Steps(os.path.join(output, steps.FOLDER))
        self._variations = Variations(self._steps, self._run_variation, progress.say)
        self._modern = 0
        self._timeout = timeout
        self.before: same_run.Recording | None = None
        self.created_estimators: list[places.CreatedEstimator] = []
        self.source = ""

    def unmodified(self) -> same_run.Recording:
        """Returns the recording of the unmodified program under `legacy.run`."""

        def make(folder: str) -> dict[str, Any]:
            mirror.take(self._program, os.path.join(folder, "source"), without=self._output)
            start = time.monotonic()
            recording = self._run(folder, os.path.join(folder, "source"), unmodified=True)
            if recording.exit_code != 0:
                # The step has no result, so that --resume runs the program again.
                raise cli.UsageError(run_errors.of_unmodified_run(recording, folder))
            return {"seconds": time.monotonic() - start}

        with self._progress.during("unmodified under legacy.run"):
            result, folder, is_recorded = self._steps.once("0-unmodified", make)
        self._timeout = max(_LEAST_SECONDS, 10 * result["seconds"])
        self.before = same_run.Recording.load(os.path.join(folder, "record"))
        self.source = os.path.join(folder, "source")
        self.created_estimators = [
            estimator._replace(
                places=tuple((self._output_path(path), line) for path, line in estimator.places)
            )
            for estimator in places.read(os.path.join(folder, "record"), self._program.name)
        ]
        kinds = ("training", "evaluation", "prediction")
        results = (self.before.trainings, self.before.evaluations, self.before.predictions)
        counts = ", ".join(
            f"{len(calls)} {kind}{'s'[: len(calls) != 1]}"
            for kind, calls in zip(kinds, results, strict=True)
        )
        self._progress.say(
            f"unmodified under legacy.run: {counts} recorded ({_duration(result, is_recorded)})"
        )
        return self.before

    def results_of(self, estimator: Estimator) -> dict[str, int]:
        """Returns the number of results of an Estimator that the unmodified program has, by kind.

        Args:
          estimator: The Estimator, with its place in the unmodified program.
        """
        assert self.before is not None
        model_dirs = {
            created.model_dir
            for created in self.created_estimators
            if estimator[:2] in created.places
        }
        trainings = [
            training for training in self.before.trainings if training.model_dir in model_dirs
        ]
        counts = {
            "trainings": len(trainings),
            "steps": sum(training.steps for training in trainings),
            "evaluations": sum(
                model_dir in model_dirs for model_dir in self.before.evaluation_dirs
            ),
            "predictions": sum(call.model_dir in model_dirs for call in self.before.predictions),
        }
        return {kind: count for kind, count in counts.items() if count}

    def hidden_estimators(self, originals: Sequence[Estimator]) -> list[Estimator]:
        """Returns the Estimators that the unmodified program created in other places.

        Args:
          originals: Estimators that are visible in its text.
        """
        lines = {estimator[:2] for estimator in originals}
        others = (
            estimator
            for estimator in self.created_estimators
            if estimator.places and lines.isdisjoint(estimator.places)
        )
        return list(
            dict.fromkeys(Estimator(*estimator.places[0], estimator.name) for estimator in others)
        )

    def _output_path(self, path: str) -> str:
        return os.path.normpath(os.path.join(self._program.output_name, path))

    @property
    def _record(self) -> str:
        """The folder with the recording of the unmodified program."""
        return os.path.join(os.path.dirname(self.source), "record")

    @property
    def repeat_difference(self) -> str:
        """First difference between two runs of the unmodified program, or "".

        It is known if the program that was rewritten to legacy differs.
        """
        return self._variations.difference

    def legacy(self) -> Attempt:
        """Rewrites the program to legacy, runs it and compares."""
        api = self._program.api.removeprefix("--api=") or "auto"
        return self._attempt(
            "1-legacy", self.source, lambda source: rewriting.to_legacy(source, api)
        )

    def modern(self, legacy: Attempt, highest: Mapping[Estimator, str]) -> Attempt:
        """Rewrites the program to modern, runs it and compares.

        Args:
          legacy: Result of `legacy`.
          highest: Highest rung of some Estimators.
        """
        self._modern += 1
        return self._attempt(
            f"{self._modern + 1}-modern",
            legacy.source,
            lambda source: rewriting.to_modern(source, highest),
            is_modern=True,
        )

    def keras_3(self, modern: Attempt) -> Attempt:
        """Rewrites the program from tf_keras to Keras 3, runs it and compares.

        Args:
          modern: Result of `modern`, in which all Estimators are Keras models.
        """
        self._modern += 1
        attempt = self._attempt(
            f"{self._modern + 1}-keras3",
            modern.source,
            rewriting.to_keras_3,
            is_modern=True,
            keras=3,
        )
        return dataclasses.replace(
            attempt,
            rungs=dict.fromkeys(modern.rungs, estimators.KERAS_3),
            together=modern.together,
            notes=(*modern.notes, *attempt.notes),
        )

    def _attempt(
        self,
        name: str,
        base: str,
        rewrite: Callable[[str], rewriting.RewriteResult],
        *,
        is_modern: bool = False,
        keras: int = 2,
    ) -> Attempt:
        def make(folder: str) -> dict[str, Any]:
            start = time.monotonic()
            source = os.path.join(folder, "source")
            shutil.copytree(base, source)
            rewrite_result = rewrite(source)
            result = self._run_and_compare(folder, source, rewrite_result, is_modern)
            trains = result.compared.get("trainings", 0) > 0
            if keras == 3 and result.verdict == SAME and trains and not _is_keras_3(result.keras):
                # A run with another Keras proves nothing about Keras 3.
                reason = f"the program trained with {result.keras or 'no Keras'}, not with Keras 3"
                result = dataclasses.replace(result, verdict=DIFFERENT, lines=(reason,))
            return {
                "seconds": time.monotonic() - start,
                **dataclasses.asdict(result),
                "source": os.path.relpath(source, self._output),
                "rungs": [[*estimator, rung] for estimator, rung in rewrite_result.rungs.items()],
                "reasons": [
                    [*estimator, reason]
                    for estimator, reason in rewriting.reasons(source, rewrite_result)
                ],
                "together": rewrite_result.together,
                "notes": rewrite_result.notes,
                "repetitions": self._variations.repetitions,
            }

        with self._progress.during(name.partition("-")[2]):
            result, _, is_recorded = self._steps.once(name, make)
        assert self.before is not None
        self._variations.load(self.before, result.get("repetitions", 0))
        counts = collections.Counter(rung for *_, rung in result["rungs"] if is_modern)
        summary = ", ".join(f"{count} {rung}" for rung, count in counts.items())
        step = name.partition("-")[2] + (f", {summary}" if summary else "")
        self._progress.say(f"{step}: {result['verdict']} ({_duration(result, is_recorded)})")
        return Attempt(
            os.path.join(self._output, result["source"]),
            result["verdict"],
            tuple(result["lines"]),
            result["compared"],
            tuple(result["not_compared"]),
            {Estimator(*fields): rung for *fields, rung in result["rungs"]},
            {Estimator(*fields): reason for *fields, reason in result["reasons"]},
            tuple(tuple(Estimator(*fields) for fields in group) for group in result["together"]),
            tuple(result["notes"]),
            tuple(result["absent"]),
            tuple(result["details"]),
            tuple(randomness.conditions(self._record)),
            result.get("keras", ""),
        )

    def _run_and_compare(
        self,
        folder: str,
        source: str,
        rewrite_result: rewriting.RewriteResult,
        is_modern: bool,
    ) -> comparison.Comparison:
        assert self.before is not None
        if rewrite_result.failures:
            return comparison.Comparison(FAILED, rewrite_result.failures)
        if rewrite_result.stays:
            reasons = (f"{work.path}:{work.line}: {work.reason}" for work in rewrite_result.stays)
            return comparison.Comparison(STAYS, tuple(reasons))
        after = self._run(folder, source)
        if after.exit_code != 0 or not is_modern:
            return self._compare(folder, after, is_modern)
        quiet_import.import_tensorflow()
        values = first_values.compare(self.before, pairing.renamed(self.before, after))
        if values.differences or not values.drawn:
            return self._compare(folder, after, is_modern)
        # It draws other random numbers, so it is compared from the recorded weights.
        carried = os.path.join(folder, "from-weights")
        try:
            result = self._compare(carried, self._run(carried, source, like=after), is_modern)
        except cli.UsageError as error:
            return comparison.Comparison(FAILED, (run_errors.of_conversion(str(error)),))
        not_compared = (*result.not_compared, *values.not_compared())
        return dataclasses.replace(result, not_compared=not_compared)

    def _compare(
        self, folder: str, after: same_run.Recording, is_modern: bool
    ) -> comparison.Comparison:
        assert self.before is not None
        if after.exit_code != 0:
            return comparison.Comparison(FAILED, (run_errors.of_run(after),))
        quiet_import.import_tensorflow()
        old_rates, new_rates = map(randomness.dropout_rates, (self._record, f"{folder}/record"))
        compare = self._variations.compare_modern if is_modern else self._variations.compare_legacy
        return compare(self.before, after, (old_rates, new_rates))

    def _run_variation(self, folder: str, nudge: float, seed: int) -> same_run.Recording:
        """Runs the unmodified program again, and from slightly other weights if `nudge` is set."""
        like = self.before if nudge else None
        return self._run(folder, self.source, unmodified=True, like=like, nudge=nudge, seed=seed)

    def _run(
        self,
        folder: str,
        source: str,
        *,
        unmodified: bool = False,
        like: same_run.Recording | None = None,
        nudge: float = 0.0,
        seed: int = 0,
    ) -> same_run.Recording:
        work = os.path.join(folder, "work")
        os.makedirs(work)
        mirror.show(self._program, source, work, without=self._output)
        if like is not None:
            assert self.before is not None
            weights.carry(self.before, like, work, nudge, seed)
        command = [*self._program.command]
        if unmodified:
            command[1:1] = ["-m", "legacy.run", *filter(None, [self._program.api])]
        return running.run(
            command, work, os.path.join(folder, "record"), cwd=work, timeout=self._timeout
        )


def _is_keras_3(keras: str) -> bool:
    """Returns whether Keras 3 trained all models of a run, and no other Keras."""
    return keras.startswith("keras 3.") and "," not in keras


def _duration(result: Mapping[str, Any], is_recorded: bool) -> str:
    return "recorded before" if is_recorded else f"{result['seconds']:.0f} s"
