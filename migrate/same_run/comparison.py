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

from migrate.same_run import exports, nests, saved_variables, series, timed_evaluations
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
# Causes of differences between runs of one program.
ROUNDING = "rounding alone moves the program's own results"
REPEATING = "the program does not repeat its own results, which differ"
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
      missing: Sentences of `not_compared` that name a part which only one run has.
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


def same_run(
    before: Recording,
    after: Recording,
    variations: Sequence[Recording] = (),
    cause: str = ROUNDING,
) -> Outcome:
    """Compares the results of two runs.

    Args:
      before: Recording of a program.
      after: Recording of the same program or of its rewritten form.
      variations: Recordings of the first program from weights that differ by rounding, or of
        repetitions. Differences as large as in these runs are allowed (see `allowances`).
      cause: Cause of the differences in `variations`: ROUNDING or REPEATING.

    Returns:
      The outcome. Its verdict is DIFFERENT if any result differs. It is COULD_NOT_TELL if nothing
      was recorded, a run failed, or a part that both runs have could not be compared.
    """
    before, after, sentence = timed_evaluations.paired(before, after)
    findings = _Findings(Allowances(before, variations), f"{cause} by more than {MOST:.0%}")
    findings.details += [sentence] if sentence else []
    findings.exit_codes(before.exit_code, after.exit_code)
    # Another folder may be the cause of other results, so it comes first.
    findings.folders("training", *(map(_model_dir, run.trainings) for run in (before, after)))
    findings.pairs("training", before.trainings, after.trainings, findings.training)
    findings.pairs("evaluation", before.evaluations, after.evaluations, findings.evaluation)
    findings.folders("evaluation", before.evaluation_dirs, after.evaluation_dirs)
    findings.pairs("prediction", before.predictions, after.predictions, findings.prediction)
    findings.folders("prediction", *(map(_model_dir, run.predictions) for run in (before, after)))
    findings.exports(before, after)
    findings.checkpoints(before.checkpoints, after.checkpoints)
    for when, run in (("before", before), ("after", after)):
        findings.undecided += [f"{note} (run {when})" for note in run.not_recorded]
        model_dirs = dict.fromkeys(training.model_dir for training in run.trainings)
        findings.missing += [
            f"checkpoint of {model_dir or 'a model without a folder'}: there is none {when}"
            for model_dir in model_dirs
            if model_dir not in run.checkpoints
        ]
    if findings.differences:
        verdict = DIFFERENT
    elif findings.undecided or not findings.compared:
        verdict = COULD_NOT_TELL
    else:
        verdict = SAME
    return Outcome(
        verdict,
        tuple(findings.differences),
        (*findings.undecided, *findings.open, *findings.missing),
        findings.compared,
        tuple(findings.missing),
        tuple(findings.details),
    )


class _Findings:
    """Findings of a comparison.

    Args:
      allowances: Differences that are allowed in addition to the tolerances.
      too_much: Reason why a part cannot be compared whose variation is beyond the limit.

    Attributes:
      differences: A line for each difference.
      undecided: Sentences on missing parts that prevent a verdict.
      open: Sentences on parts that could not be compared, but that a verdict does not need.
      missing: Sentences on parts that two runs of one program need not share.
      compared: Number of compared parts, by kind.
      details: Sentences on the extent of a comparison.
    """

    def __init__(self, allowances: Allowances, too_much: str) -> None:
        self._allowances, self._explained = allowances, allowances.unlimited
        self._too_much = too_much
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
        for number, (old_call, new_call) in enumerate(zip(before, after, strict=False), start=1):
            compare(number - 1, f"{kind} {number}", old_call, new_call)
            self._count(f"{kind}s")

    def folders(self, kind: str, before: Iterable[str], after: Iterable[str]) -> None:
        """Compares the folders of the models of calls, if both are in the run's folder."""
        for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
            is_named = old and new and not os.path.isabs(old) and not os.path.isabs(new)
            if is_named and old != new:
                self.differences.append(
                    f"{kind} {number}: of the model in {old} before, of that in {new} after"
                )

    def training(self, number: int, place: str, before: Training, after: Training) -> None:
        """Compares the losses of two trainings at the steps that both have, and the gradients."""
        if before.steps != after.steps:
            self.differences.append(f"{place}: {before.steps} steps before, {after.steps} after")
        steps, means = series.means(before.losses, after.losses)
        if not steps:
            self.undecided.append(f"{place}: the losses are of different steps")
            return
        limits = [
            allowances.losses(number, steps) for allowances in (self._allowances, self._explained)
        ]
        self._compare_steps(f"{place}, loss", steps, means, LOSSES, limits)
        sides = [
            when
            for when, training in (("before", before), ("after", after))
            if not training.gradients
        ]
        steps, means = series.means(before.gradients, after.gradients)
        if steps:
            norms = [*map(np.sqrt, means)]
            limits = [
                allowances.gradients(number, steps)
                for allowances in (self._allowances, self._explained)
            ]
            self._compare_steps(f"{place}, gradient norm", steps, norms, GRADIENTS, limits)
            self._count("gradient norms", len(steps))
        elif sides:
            reason = before.no_gradients or after.no_gradients
            self.open.append(
                f"gradients of {place}: they could not be read {' and '.join(sides)}"
                + (f", because {reason}" if reason else "")
            )
        else:
            self.open.append(f"gradients of {place}: they are of different steps")

    def _compare_steps(
        self,
        place: str,
        steps: Sequence[int],
        values: Sequence[Any],
        tolerance: Tolerance,
        limits: Sequence[Any],
    ) -> None:
        distances = np.abs(np.subtract(*values))
        is_within, is_explained = (
            tolerance.agrees(*values) | (distances <= limit) for limit in limits
        )
        undetermined = np.flatnonzero(is_explained & ~is_within)
        if undetermined.size:
            self.open.append(f"{place} from step {steps[undetermined[0]]} on: {self._too_much}")
        indices = np.flatnonzero(~is_explained)
        # The first difference shows the cause, the last the size.
        for i in sorted({*indices[:1], *indices[-1:]}):
            old, new = values[0][i], values[1][i]
            self.differences.append(
                f"{place} at step {steps[i]}: {old:.7g} before, {new:.7g} after "
                f"(off by {abs(new - old):.3g})"
            )

    def evaluation(self, number: int, place: str, before: Mapping, after: Mapping) -> None:
        """Compares the metrics of two evaluations."""
        del number
        limits = [allowances.metrics for allowances in (self._allowances, self._explained)]
        self._compare_by_name(place, before, after, METRICS, limits)

    def _compare_by_name(
        self,
        place: str,
        before: Mapping,
        after: Mapping,
        tolerance: Tolerance,
        limits: Sequence[Mapping[str, float]],
    ) -> None:
        """Compares values by name, each with its own tolerance."""
        for name in [*before, *(name for name in after if name not in before)]:
            old, new = (
                {name: values[name]} if name in values else {} for values in (before, after)
            )
            differences, unexplained = (
                nests.differences(
                    old,
                    new,
                    place,
                    Tolerance(tolerance.rtol, tolerance.atol + limit.get(name, 0.0)),
                )
                for limit in limits
            )
            self.differences += unexplained
            if differences and not unexplained:
                self.open.append(f"{place}, {name}: {self._too_much}")

    def prediction(self, number: int, place: str, before: Predictions, after: Predictions) -> None:
        """Compares the predictions of two calls."""
        shapes_before, shapes_after = _shapes(before), _shapes(after)
        if shapes_before != shapes_after:
            self.differences += nests.differences(shapes_before, shapes_after, place)
            return
        limits = [
            allowances.predictions(number) for allowances in (self._allowances, self._explained)
        ]
        self._compare_by_name(place, before.values, after.values, PREDICTIONS, limits)
        for name, digest in before.digests.items():
            stored_count = np.size(before.values[name])
            shapes = before.shapes[name]
            is_whole = len(shapes) == 1 and stored_count == before.examples[name] * np.prod(
                shapes[0]
            )
            if digest != after.digests[name] and not is_whole:
                self.undecided.append(
                    f"{place}, {name}: values after the first {stored_count} differ"
                )

    def exports(self, before: Recording, after: Recording) -> None:
        """Compares the exports of two runs."""
        names = [*before.exports, *(name for name in after.exports if name not in before.exports)]
        for name in names:
            if name not in after.exports:
                self.differences.append(f"{name}: only exported before")
            elif name not in before.exports:
                self.differences.append(f"{name}: only exported after")
            else:
                paths = before.exports[name], after.exports[name]
                comparison = exports.compare(*paths, before.examples, name, EXPORTS)
                if comparison.differences and self._allowances.variations:
                    tolerance = Tolerance(
                        EXPORTS.rtol, EXPORTS.atol + self._allowances.export(name)
                    )
                    comparison = exports.compare(*paths, before.examples, name, tolerance)
                self.differences += comparison.differences
                self.open += comparison.not_compared
                self._count("signatures of exports", comparison.signatures)

    def checkpoints(
        self, before: Mapping[str, Checkpoint], after: Mapping[str, Checkpoint]
    ) -> None:
        """Compares the last checkpoints of the models' folders."""
        for model_dir, old in before.items():
            new = after.get(model_dir)
            if new is None:
                continue
            if old.by_name != new.by_name:
                self._compare_converted(model_dir, old, new)
            else:
                self._compare_variables(model_dir, old.variables, new.variables)
                self._count("checkpoints")

    def _compare_variables(self, model_dir: str, before: Mapping, after: Mapping) -> None:
        place = f"checkpoint of {model_dir}"
        limits = self._allowances.variables(model_dir)
        missing = [name for name in before if name not in after and not _is_of_hook(name)]
        added = [name for name in after if name not in before and not _is_of_hook(name)]
        if missing:
            self.differences.append(f"{place}: {_join_names(missing)} only before")
        if added:
            self.differences.append(f"{place}: {_join_names(added)} only after")
        count = 0
        for name in before:
            if name in after and not _is_text(before[name]):
                scale = float(np.max(np.abs(before[name]), initial=0.0))
                atol = VARIABLES.atol + VARIABLES.rtol * scale + limits.get(name, 0.0)
                old, new = np.asarray(before[name]), np.asarray(after[name])
                if old.dtype != new.dtype and old.dtype.kind == new.dtype.kind == "f":
                    self.differences.append(
                        f"{place}, {name}: {old.dtype} before, {new.dtype} after"
                    )
                self.differences += nests.differences(
                    old, new, f"{place}, {name}", Tolerance(0.0, atol)
                )
                count += 1
        self.details.append(f"{place}: {count} variables, with those of optimizers")

    def _compare_converted(self, model_dir: str, before: Checkpoint, after: Checkpoint) -> None:
        """Compares an Estimator's checkpoint with a Keras checkpoint, paired as in a conversion."""
        place = f"checkpoint of {model_dir}"
        limits = self._allowances.variables(model_dir)
        old, new = (before, after) if before.by_name else (after, before)
        comparison = saved_variables.compare(
            old.path, new.path, new.keep, rtol=VARIABLES.rtol, atol=1e2 * VARIABLES.atol
        )
        self.differences += [f"{place}: {problem}" for problem in comparison.problems]
        self.differences += [
            f"{place}, {variable.left} ({variable.right} in Keras): off by {variable.largest:.3g}"
            for variable in comparison.differing
            if variable.largest
            > limits.get(variable.left if before.by_name else variable.right, 0.0)
        ]
        if comparison.compared:
            self._count("checkpoints")
        self.details.append(f"{place}: {comparison.extent}")


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


def _join_names(names: Sequence[str], count: int = 5) -> str:
    more = f" and {len(names) - count} more" if len(names) > count else ""
    return ", ".join(names[:count]) + more
