"""Compares two recordings: the verdict, each difference with its size and place, and open parts.

    outcome = same_run(before, after)
    assert outcome.verdict == SAME, outcome

str(outcome) lists them, one per line.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from migrate.same_run import exports, nests, saved_variables, series
from migrate.same_run.allowances import MOST, Allowances
from migrate.same_run.nests import Tolerance
from migrate.same_run.recording import Checkpoint, Predictions, Recording, Training

SAME = "same"
DIFFERENT = "different"
COULD_NOT_TELL = "could not tell"

# The rungs add the same float32 numbers in another order, and training amplifies the rounding. A
# run of 50 steps moves losses by about 1e-6. A learning rate that is off by a thousandth moves them
# by 1e-4.
LOSSES = Tolerance(rtol=5e-5, atol=2e-6)
GRADIENTS = Tolerance(rtol=2e-4, atol=1e-6)
METRICS = Tolerance(rtol=5e-5, atol=2e-6)
PREDICTIONS = Tolerance(rtol=5e-5, atol=2e-6)
EXPORTS = PREDICTIONS
_ROUNDING = f"rounding alone moves the program's own results by more than {MOST:.0%}"
# Relative to the largest value of a variable.
VARIABLES = Tolerance(rtol=1e-4, atol=1e-6)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Result of a comparison.

    Attributes:
      verdict: SAME, DIFFERENT or COULD_NOT_TELL.
      differences: A line for each difference, with its place and its size.
      not_compared: Sentences on parts that could not be compared.
      compared: Number of compared parts, by kind.
      missing: Those sentences of `not_compared` that name a part which only one run has.
      details: Sentences on the extent of some comparisons.
    """

    verdict: str
    differences: tuple[str, ...]
    not_compared: tuple[str, ...]
    compared: Mapping[str, int]
    missing: tuple[str, ...] = ()
    details: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Returns the whole outcome as lines."""
        counts = ", ".join(f"{count} {kind}" for kind, count in self.compared.items())
        lines = [f"{self.verdict}; compared: {counts or 'nothing'}", *self.differences]
        return "\n".join([*lines, *(f"not compared: {line}" for line in self.not_compared)])


def same_run(before: Recording, after: Recording, nudged: Recording | None = None) -> Outcome:
    """Compares the results of two runs.

    Args:
      before: A recording.
      after: Another recording, of the same program or of its rewritten form.
      nudged: Recording of the first program from weights that differ by rounding. Differences as
        large as in this run are allowed (see `allowances`).

    Returns:
      The outcome. DIFFERENT if any result differs. COULD_NOT_TELL if nothing was recorded, a run
      failed, or a part that both runs have could not be compared.
    """
    found = _Findings(Allowances(before, nudged))
    found.exit_codes(before.exit_code, after.exit_code)
    # Another folder may be the cause of other results, so it comes first.
    found.folders("training", *(map(_model_dir, one.trainings) for one in (before, after)))
    found.pairs("training", before.trainings, after.trainings, found.training)
    found.pairs("evaluation", before.evaluations, after.evaluations, found.evaluation)
    found.folders("evaluation", before.evaluated, after.evaluated)
    found.pairs("prediction", before.predictions, after.predictions, found.prediction)
    found.folders("prediction", *(map(_model_dir, one.predictions) for one in (before, after)))
    found.exports(before, after)
    found.checkpoints(before.checkpoints, after.checkpoints)
    for when, run in (("before", before), ("after", after)):
        found.undecided += [f"{note} (run {when})" for note in run.not_recorded]
        model_dirs = dict.fromkeys(one.model_dir for one in run.trainings)
        found.missing += [
            f"checkpoint of {one or 'a model without a folder'}: there is none {when}"
            for one in model_dirs
            if one not in run.checkpoints
        ]
    if found.differences:
        verdict = DIFFERENT
    elif found.undecided or not found.compared:
        verdict = COULD_NOT_TELL
    else:
        verdict = SAME
    return Outcome(
        verdict,
        tuple(found.differences),
        (*found.undecided, *found.open, *found.missing),
        found.compared,
        tuple(found.missing),
        tuple(found.details),
    )


class _Findings:
    """Findings of a comparison.

    Args:
      allowances: Differences that are allowed in addition to the tolerances.

    Attributes:
      differences: Lines.
      undecided: Sentences on missing parts that prevent a verdict.
      open: Sentences on parts that could not be compared, without which a verdict is possible.
      missing: Sentences on parts that two runs of one program need not share.
      compared: Counts by kind.
      details: Sentences on the extent of a comparison.
    """

    def __init__(self, allowances: Allowances) -> None:
        self._allowances, self._explained = allowances, allowances.unlimited
        self.differences: list[str] = []
        self.undecided: list[str] = []
        self.open: list[str] = []
        self.missing: list[str] = []
        self.compared: dict[str, int] = {}
        self.details: list[str] = []

    def _count(self, kind: str, number: int = 1) -> None:
        self.compared[kind] = self.compared.get(kind, 0) + number

    def exit_codes(self, before: int | None, after: int | None) -> None:
        """Compares the exit codes."""
        if before != after:
            self.differences.append(f"exit code: {before} before, {after} after")
        elif before != 0:
            self.undecided.append(f"both runs ended with exit code {before}")

    def pairs(
        self,
        kind: str,
        before: Sequence[Any],
        after: Sequence[Any],
        compare: Callable[[int, str, Any, Any], None],
    ) -> None:
        """Compares each call with its counterpart."""
        if len(before) != len(after):
            self.differences.append(f"{kind}s: {len(before)} before, {len(after)} after")
        for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
            compare(number - 1, f"{kind} {number}", one, other)
            self._count(f"{kind}s")

    def folders(self, kind: str, before: Iterable[str], after: Iterable[str]) -> None:
        """Compares the folders of the models of calls, as far as both are in the run's folder."""
        for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
            is_named = one and other and not os.path.isabs(one) and not os.path.isabs(other)
            if is_named and one != other:
                self.differences.append(
                    f"{kind} {number}: of the model in {one} before, of that in {other} after"
                )

    def training(self, number: int, place: str, before: Training, after: Training) -> None:
        """Compares the losses of two trainings at the steps that both have, and the gradients."""
        if before.steps != after.steps:
            self.differences.append(f"{place}: {before.steps} steps before, {after.steps} after")
        steps, means = series.means(before.losses, after.losses)
        if not steps:
            self.undecided.append(f"{place}: the losses are of different steps")
            return
        allowed = [one.losses(number, steps) for one in (self._allowances, self._explained)]
        self._steps(f"{place}, loss", steps, means, LOSSES, allowed)
        lacking = [
            when for when, one in (("before", before), ("after", after)) if not one.gradients
        ]
        steps, means = series.means(before.gradients, after.gradients)
        if steps:
            norms = [*map(np.sqrt, means)]
            allowed = [one.gradients(number, steps) for one in (self._allowances, self._explained)]
            self._steps(f"{place}, gradient norm", steps, norms, GRADIENTS, allowed)
            self._count("gradient norms", len(steps))
        elif lacking:
            reason = before.no_gradients or after.no_gradients
            self.open.append(
                f"gradients of {place}: they could not be read {' and '.join(lacking)}"
                + (f", because {reason}" if reason else "")
            )
        else:
            self.open.append(f"gradients of {place}: they are of different steps")

    def _steps(
        self,
        place: str,
        steps: Sequence[int],
        values: Sequence[Any],
        tolerance: Tolerance,
        allowed: Sequence[Any],
    ) -> None:
        apart = np.abs(np.subtract(*values))
        within, explained = (tolerance.agrees(*values) | (apart <= one) for one in allowed)
        undetermined = np.flatnonzero(explained & ~within)
        if undetermined.size:
            self.open.append(f"{place} from step {steps[undetermined[0]]} on: {_ROUNDING}")
        wrong = np.flatnonzero(~explained)
        for i in sorted({*wrong[:1], *wrong[-1:]}):  # The first tells the cause, the last the size.
            one, other = values[0][i], values[1][i]
            self.differences.append(
                f"{place} at step {steps[i]}: {one:.7g} before, {other:.7g} after "
                f"(off by {abs(other - one):.3g})"
            )

    def evaluation(self, number: int, place: str, before: Mapping, after: Mapping) -> None:
        """Compares the metrics of two evaluations."""
        del number
        allowed = [one.metrics for one in (self._allowances, self._explained)]
        self._named(place, before, after, METRICS, allowed)

    def _named(
        self,
        place: str,
        before: Mapping,
        after: Mapping,
        tolerance: Tolerance,
        allowed: Sequence[Mapping[str, float]],
    ) -> None:
        """Compares values by name, each with its own tolerance."""
        for name in [*before, *(name for name in after if name not in before)]:
            old, new = ({name: one[name]} if name in one else {} for one in (before, after))
            within, explained = (
                nests.differences(
                    old, new, place, Tolerance(tolerance.rtol, tolerance.atol + one.get(name, 0.0))
                )
                for one in allowed
            )
            self.differences += explained
            if within and not explained:
                self.open.append(f"{place}, {name}: {_ROUNDING}")

    def prediction(self, number: int, place: str, before: Predictions, after: Predictions) -> None:
        """Compares the predictions of two calls."""
        shapes_before, shapes_after = _shapes(before), _shapes(after)
        if shapes_before != shapes_after:
            self.differences += nests.differences(shapes_before, shapes_after, place)
            return
        allowed = [one.predictions(number) for one in (self._allowances, self._explained)]
        self._named(place, before.values, after.values, PREDICTIONS, allowed)
        for name, digest in before.digests.items():
            kept = np.size(before.values[name])
            shapes = before.shapes[name]
            whole = len(shapes) == 1 and kept == before.examples[name] * np.prod(shapes[0])
            if digest != after.digests[name] and not whole:
                self.undecided.append(f"{place}, {name}: values after the first {kept} differ")

    def exports(self, before: Recording, after: Recording) -> None:
        """Compares the exports of two runs."""
        names = [*before.exports, *(one for one in after.exports if one not in before.exports)]
        for name in names:
            if name not in after.exports:
                self.differences.append(f"{name}: only exported before")
            elif name not in before.exports:
                self.differences.append(f"{name}: only exported after")
            else:
                paths = before.exports[name], after.exports[name]
                found = exports.compare(*paths, before.examples, name, EXPORTS)
                if found.differences and self._allowances.nudged is not None:
                    near = Tolerance(EXPORTS.rtol, EXPORTS.atol + self._allowances.export(name))
                    found = exports.compare(*paths, before.examples, name, near)
                self.differences += found.differences
                self.open += found.not_compared
                self._count("signatures of exports", found.signatures)

    def checkpoints(
        self, before: Mapping[str, Checkpoint], after: Mapping[str, Checkpoint]
    ) -> None:
        """Compares the last checkpoints of the models' folders."""
        for model_dir, one in before.items():
            other = after.get(model_dir)
            if other is None:
                continue
            if one.by_name != other.by_name:
                self._converted(model_dir, one, other)
            else:
                self._variables(model_dir, one.variables, other.variables)
                self._count("checkpoints")

    def _variables(self, model_dir: str, before: Mapping, after: Mapping) -> None:
        place = f"checkpoint of {model_dir}"
        allowed = self._allowances.variables(model_dir)
        missing = [name for name in before if name not in after and not _is_of_hook(name)]
        added = [name for name in after if name not in before and not _is_of_hook(name)]
        if missing:
            self.differences.append(f"{place}: {_some(missing)} only before")
        if added:
            self.differences.append(f"{place}: {_some(added)} only after")
        count = 0
        for name in before:
            if name in after and not _is_text(before[name]):
                scale = float(np.max(np.abs(before[name]), initial=0.0))
                near = VARIABLES.atol + VARIABLES.rtol * scale + allowed.get(name, 0.0)
                one, other = np.asarray(before[name]), np.asarray(after[name])
                self.differences += nests.differences(
                    one, other, f"{place}, {name}", Tolerance(0.0, near)
                )
                count += 1
        self.details.append(f"{place}: {count} variables, with those of optimizers")

    def _converted(self, model_dir: str, before: Checkpoint, after: Checkpoint) -> None:
        """Compares an Estimator's checkpoint with one of Keras, matched as in a conversion."""
        place = f"checkpoint of {model_dir}"
        allowed = self._allowances.variables(model_dir)
        old, new = (before, after) if before.by_name else (after, before)
        found = saved_variables.compare(
            old.path, new.path, new.keep, rtol=VARIABLES.rtol, atol=1e2 * VARIABLES.atol
        )
        self.differences += [f"{place}: {problem}" for problem in found.problems]
        self.differences += [
            f"{place}, {one.left} ({one.right} in Keras): off by {one.largest:.3g}"
            for one in found.differing
            if one.largest > allowed.get(one.left if before.by_name else one.right, 0.0)
        ]
        if found.compared:
            self._count("checkpoints")
        self.details.append(f"{place}: {found.extent}")


def _model_dir(call: Training | Predictions) -> str:
    return call.model_dir


def _shapes(predictions: Predictions) -> dict[str, str]:
    return {
        name: f"{count} examples of shape "
        + ", ".join(str(tuple(shape)) for shape in predictions.shapes[name])
        for name, count in predictions.examples.items()
    }


def _is_of_hook(name: str) -> bool:
    """Returns true for a variable by which the workers of a program agree to stop."""
    return name == saved_variables.STOP


def _is_text(value: Any) -> bool:
    return np.asarray(value).dtype.kind not in "biufc"


def _some(names: Sequence[str], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
