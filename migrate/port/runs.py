"""Runs one text of a program, and compares its results with those of the unmodified program.

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
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from migrate import same_run
from migrate.port import comparing, estimators, rewriting, running, weights
from migrate.port.copies import mirror
from migrate.port.copies.program import Program
from migrate.port.estimators import Estimator
from migrate.port.in_program import determinism, places
from migrate.port.progress import Progress
from migrate.port.steps import Steps
from migrate.same_run import allowances, saved_variables
from modern.process import cli

SAME, DIFFERENT, FAILED = "same", "different", "failed"
FOLDER = "runs"
_LEAST_SECONDS = 600.0
_ERROR = re.compile(r"^[\w.]*(Error|Exception|Interrupt|Warning|Exit)\b.*")
# A line of a traceback in a copy of the program.
_PLACE = re.compile(rf'File ".*/{FOLDER}/[^/"]+(?:/first)?/work/([^"]+)", line (\d+)')
_NO_KERAS = re.compile(r"# There is no Keras model for it yet: (.*)\.$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Attempt:
    """A text of the program that was run and compared.

    Attributes:
      source: Folder of the text.
      verdict: SAME, DIFFERENT, FAILED or same_run.COULD_NOT_TELL.
      lines: Differences, or the error.
      compared: Number of compared parts by kind.
      not_compared: Parts that were not compared, with the reason.
      rungs: Rung of each Estimator of the text of rung legacy.
      reasons: Reasons why an Estimator did not reach a higher rung in this text.
      together: Estimators by groups that rise together.
      notes: Changes that may alter results.
      absent: Parts that the unmodified program does not have.
      details: Extent of some comparisons.
      conditions: Randomness that the runs did not exercise.
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
      made: The Estimators that the unmodified program made.
    """

    def __init__(
        self, program: Program, output: str, progress: Progress, timeout: float = 3600.0
    ) -> None:
        self._program, self._output, self._progress = program, output, progress
        self._steps = Steps(os.path.join(output, FOLDER))
        self._modern = 0
        self._timeout = timeout
        self.before: same_run.Recording | None = None
        self.made: list[places.Made] = []
        self.source = ""

    def unmodified(self) -> same_run.Recording:
        """Returns the recording of the unmodified program under `legacy.run`."""

        def make(folder: str) -> dict[str, Any]:
            mirror.take(self._program, os.path.join(folder, "source"), without=self._output)
            start = time.monotonic()
            recording = self._run(folder, os.path.join(folder, "source"), unmodified=True)
            if recording.exit_code != 0:
                # The step has no result, so that --resume runs the program again.
                raise cli.UsageError(_why_not(recording, folder))
            return {"seconds": time.monotonic() - start}

        with self._progress.during("unmodified under legacy.run"):
            result, folder, known = self._steps.once("0-unmodified", make)
        self._timeout = max(_LEAST_SECONDS, 10 * result["seconds"])
        self.before = same_run.Recording.load(os.path.join(folder, "record"))
        self.source = os.path.join(folder, "source")
        self.made = [
            one._replace(places=tuple((self._output_path(path), line) for path, line in one.places))
            for one in places.read(os.path.join(folder, "record"), self._program.name)
        ]
        kinds = ("training", "evaluation", "prediction")
        recorded = (self.before.trainings, self.before.evaluations, self.before.predictions)
        counts = ", ".join(
            f"{len(calls)} {kind}{'s'[: len(calls) != 1]}"
            for kind, calls in zip(kinds, recorded, strict=True)
        )
        self._progress.say(
            f"unmodified under legacy.run: {counts} recorded ({_took(result, known)})"
        )
        return self.before

    def results_of(self, estimator: Estimator) -> dict[str, int]:
        """Returns the number of results of an Estimator that the unmodified program has, by kind.

        Args:
          estimator: Its place in the unmodified program.
        """
        assert self.before is not None
        model_dirs = {one.model_dir for one in self.made if estimator[:2] in one.places}
        trainings = [one for one in self.before.trainings if one.model_dir in model_dirs]
        found = {
            "trainings": len(trainings),
            "steps": sum(one.steps for one in trainings),
            "evaluations": sum(one in model_dirs for one in self.before.evaluated),
            "predictions": sum(one.model_dir in model_dirs for one in self.before.predictions),
        }
        return {kind: count for kind, count in found.items() if count}

    def unknown(self, known: Sequence[Estimator]) -> list[Estimator]:
        """Returns the Estimators that the unmodified program made in other places.

        Args:
          known: The Estimators that its text shows.
        """
        shown = {one[:2] for one in known}
        made = (one for one in self.made if one.places and shown.isdisjoint(one.places))
        return list(dict.fromkeys(Estimator(*one.places[0], one.name) for one in made))

    def _output_path(self, path: str) -> str:
        return os.path.normpath(os.path.join(self._program.output_name, path))

    @property
    def _record(self) -> str:
        """The folder with the recording of the unmodified program."""
        return os.path.join(os.path.dirname(self.source), "record")

    def repeats(self) -> Attempt:
        """Runs the unmodified program again."""
        return self._attempt(
            "1-again", self.source, lambda source: rewriting.nothing(), unmodified=True
        )

    def legacy(self) -> Attempt:
        """Rewrites the program to legacy, runs it and compares."""
        api = self._program.api.removeprefix("--api=") or "auto"
        return self._attempt(
            "1-legacy", self.source, lambda source: rewriting.to_legacy(source, api)
        )

    def modern(self, legacy: Attempt, highest: Mapping[Estimator, str]) -> Attempt:
        """Rewrites the program to modern, runs it from the recorded weights and compares.

        Args:
          legacy: Result of `legacy`.
          highest: Highest rung of some Estimators.
        """
        self._modern += 1
        return self._attempt(
            f"{self._modern + 1}-modern",
            legacy.source,
            lambda source: rewriting.to_modern(source, highest),
            carries=True,
        )

    def _attempt(
        self,
        name: str,
        lower: str,
        rewrite: Callable[[str], rewriting.Rewritten],
        *,
        unmodified: bool = False,
        carries: bool = False,
    ) -> Attempt:
        def make(folder: str) -> dict[str, Any]:
            start = time.monotonic()
            source = os.path.join(folder, "source")
            shutil.copytree(lower, source)
            rewritten = rewrite(source)
            found = self._compared(folder, source, rewritten, unmodified, carries)
            return {
                "seconds": time.monotonic() - start,
                **dataclasses.asdict(found),
                "source": os.path.relpath(source, self._output),
                "rungs": [[*one, rung] for one, rung in rewritten.rungs.items()],
                "reasons": [[*one, why] for one, why in _reasons(source, rewritten)],
                "together": rewritten.together,
                "notes": rewritten.notes,
            }

        with self._progress.during(name.partition("-")[2]):
            result, _, known = self._steps.once(name, make)
        counts = collections.Counter(rung for *_, rung in result["rungs"] if carries)
        reached = ", ".join(f"{count} {rung}" for rung, count in counts.items())
        step = name.partition("-")[2] + (f", {reached}" if reached else "")
        self._progress.say(f"{step}: {result['verdict']} ({_took(result, known)})")
        return Attempt(
            os.path.join(self._output, result["source"]),
            result["verdict"],
            tuple(result["lines"]),
            result["compared"],
            tuple(result["not_compared"]),
            {Estimator(*one): rung for *one, rung in result["rungs"]},
            {Estimator(*one): why for *one, why in result["reasons"]},
            tuple(tuple(Estimator(*one) for one in group) for group in result["together"]),
            tuple(result["notes"]),
            tuple(result["absent"]),
            tuple(result["details"]),
            tuple(determinism.conditions(self._record)),
        )

    def _compared(
        self,
        folder: str,
        source: str,
        rewritten: rewriting.Rewritten,
        unmodified: bool,
        carries: bool,
    ) -> comparing.Comparison:
        assert self.before is not None
        if rewritten.failures:
            return comparing.Comparison(FAILED, rewritten.failures)
        like = self.before
        if carries and estimators.KERAS in rewritten.rungs.values():
            # The checkpoints of a first run are the templates for the conversion.
            first = os.path.join(folder, "first")
            like = self._run(first, source)
            if like.exit_code != 0:
                return comparing.Comparison(FAILED, (_error(like),))
        try:
            after = self._run(folder, source, unmodified=unmodified, like=like if carries else None)
        except cli.UsageError as error:
            return comparing.Comparison(FAILED, (_not_fitting(str(error)),))
        if after.exit_code != 0:
            return comparing.Comparison(FAILED, (_error(after),))
        cli.import_tensorflow_quietly()
        one, other = map(determinism.rates, (self._record, f"{folder}/record"))
        found = comparing.compare(self.before, after, (one, other))
        if carries and found.verdict == DIFFERENT:
            again = comparing.compare(self.before, after, (one, other), self._nudged())
            # The differences without allowances tell more.
            found = again if again.verdict != DIFFERENT else found
        return found

    def _nudged(self) -> same_run.Recording | None:
        """Returns a run of the unmodified program from weights that differ by rounding."""
        assert self.before is not None

        def make(folder: str) -> dict[str, Any]:
            start = time.monotonic()
            run = self._run(
                folder, self.source, unmodified=True, like=self.before, nudge=allowances.NUDGE
            )
            return {"seconds": time.monotonic() - start, "exit_code": run.exit_code}

        result, folder, known = self._steps.once("1-nudged", make)
        if not known:
            self._progress.say(f"unmodified from slightly other weights ({_took(result, known)})")
        if result["exit_code"] != 0:
            return None
        return same_run.Recording.load(os.path.join(folder, "record"))

    def _run(
        self,
        folder: str,
        source: str,
        *,
        unmodified: bool = False,
        like: same_run.Recording | None = None,
        nudge: float = 0.0,
    ) -> same_run.Recording:
        work = os.path.join(folder, "work")
        os.makedirs(work)
        mirror.show(self._program, source, work, without=self._output)
        if like is not None:
            assert self.before is not None
            weights.carry(self.before, like, work, nudge)
        command = [*self._program.command]
        if unmodified:
            command[1:1] = ["-m", "legacy.run", *filter(None, [self._program.api])]
        return running.run(
            command, work, os.path.join(folder, "record"), cwd=work, timeout=self._timeout
        )


def _took(result: Mapping[str, Any], known: bool) -> str:
    return "recorded before" if known else f"{result['seconds']:.0f} s"


def _error(run: same_run.Recording) -> str:
    """Returns the error with which a program ended."""
    if run.exit_code is None:
        return next(iter(run.not_recorded), "it did not end")
    lines = [line.strip() for line in run.output.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    last = (errors or lines or ["no output"])[-1]
    places = _PLACE.findall(run.output)
    where = f" ({places[-1][0]}:{places[-1][1]})" if errors and places else ""
    return f"the program ended with exit code {run.exit_code}: {last}{where}"


def _not_fitting(error: str) -> str:
    """Returns the reason why a conversion failed, with its first problems."""
    first, *problems = error.split("\n  - ")
    shown = [saved_variables.sentence(one.rstrip(".")) for one in problems[:2]] or [first]
    more = f"; and {len(problems) - 2} more" if len(problems) > 2 else ""
    return f"the initial weights do not fit: {'; '.join(shown)}{more}"


def _why_not(run: same_run.Recording, folder: str) -> str:
    """Returns the reason why the unmodified program could not run."""
    refused = running.refused(os.path.join(folder, "record"))
    output = os.path.join(folder, "record", "output")
    if refused:
        return (
            f"the program writes to {refused[0]}, outside of its copy. Name a relative folder in "
            f"its command line. Its output is in {output}."
        )
    error = _error(run)
    if run.exit_code is None:
        error += ". Name fewer steps in its command line, or a longer --timeout"
    elif "EOFError" in error:
        error += ". Its standard input is empty here, so give its answers as arguments"
    return f"under legacy.run, {error} (its output is in {output})."


def _reasons(source: str, rewritten: rewriting.Rewritten) -> list[tuple[Estimator, str]]:
    """Returns why each Estimator is no Keras model, by the comments above bridged models."""
    found = dict(rewritten.reasons)
    for path in dict.fromkeys(one.path for one in rewritten.rungs):
        bridged = [
            one
            for one, rung in rewritten.rungs.items()
            if one.path == path and rung == estimators.BRIDGED
        ]
        with open(os.path.join(source, path), encoding="utf-8", errors="replace") as file:
            comments = _NO_KERAS.findall(file.read())
        found.update(zip(bridged, comments, strict=False))
    return [*found.items()]
