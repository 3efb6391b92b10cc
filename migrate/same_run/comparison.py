"""Compares two recordings: the verdict, each difference with its size and place, and open parts.

    outcome = same_run(before, after)
    assert outcome.verdict == SAME, outcome

str(outcome) lists them, one per line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from migrate.same_run import nests
from migrate.same_run.nests import Tolerance
from migrate.same_run.recording import Checkpoint, Predictions, Recording, Training

SAME = "same"
DIFFERENT = "different"
COULD_NOT_TELL = "could not tell"

# The rungs add the same float32 numbers in another order, and training amplifies the rounding. A
# run of 50 steps moves losses by about 1e-6. A learning rate that is off by a thousandth moves them
# by 1e-4.
LOSSES = Tolerance(rtol=5e-5, atol=2e-6)
METRICS = Tolerance(rtol=5e-5, atol=2e-6)
PREDICTIONS = Tolerance(rtol=5e-5, atol=2e-6)
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
    """

    verdict: str
    differences: tuple[str, ...]
    not_compared: tuple[str, ...]
    compared: Mapping[str, int]

    def __str__(self) -> str:
        """Returns the whole outcome as lines."""
        counts = ", ".join(f"{count} {kind}" for kind, count in self.compared.items())
        lines = [f"{self.verdict}; compared: {counts or 'nothing'}", *self.differences]
        return "\n".join([*lines, *(f"not compared: {line}" for line in self.not_compared)])


def same_run(before: Recording, after: Recording) -> Outcome:
    """Compares the results of two runs.

    Args:
      before: A recording.
      after: Another recording, of the same program or of its rewritten form.

    Returns:
      The outcome. DIFFERENT if any result differs. COULD_NOT_TELL if nothing was recorded, a run
      failed, or a part that both runs have could not be compared.
    """
    found = _Findings()
    found.exit_codes(before.exit_code, after.exit_code)
    found.pairs("training", before.trainings, after.trainings, found.training)
    found.pairs("evaluation", before.evaluations, after.evaluations, found.evaluation)
    found.pairs("prediction", before.predictions, after.predictions, found.prediction)
    found.checkpoints(before.checkpoints, after.checkpoints)
    for when, run in (("before", before), ("after", after)):
        found.undecided += [f"{note} (run {when})" for note in run.not_recorded]
        model_dirs = dict.fromkeys(one.model_dir for one in run.trainings)
        found.open += [
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
        (*found.undecided, *found.open),
        found.compared,
    )


class _Findings:
    """Findings of a comparison.

    Attributes:
      differences: Lines.
      undecided: Sentences on missing parts that prevent a verdict.
      open: Sentences on parts that two runs of one program need not share.
      compared: Counts by kind.
    """

    def __init__(self) -> None:
        self.differences: list[str] = []
        self.undecided: list[str] = []
        self.open: list[str] = []
        self.compared: dict[str, int] = {}

    def _count(self, kind: str) -> None:
        self.compared[kind] = self.compared.get(kind, 0) + 1

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
        compare: Callable[[str, Any, Any], None],
    ) -> None:
        """Compares each call with its counterpart."""
        if len(before) != len(after):
            self.differences.append(f"{kind}s: {len(before)} before, {len(after)} after")
        for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
            compare(f"{kind} {number}", one, other)
            self._count(f"{kind}s")

    def training(self, place: str, before: Training, after: Training) -> None:
        """Compares the losses of two trainings at the steps that both have."""
        if before.steps != after.steps:
            self.differences.append(f"{place}: {before.steps} steps before, {after.steps} after")
        sums = [_sums(one.losses) for one in (before, after)]
        common = sorted(set(sums[0]) & set(sums[1]))
        if not common:
            self.undecided.append(f"{place}: the losses are of different steps")
            return
        # A loss may be a mean over several steps, so means between common steps are compared.
        steps = np.diff([0, *common])
        means = [np.diff([0.0, *(one[step] for step in common)]) / steps for one in sums]
        wrong = np.flatnonzero(~LOSSES.agrees(*means))
        for i in sorted({*wrong[:1], *wrong[-1:]}):  # The first tells the cause, the last the size.
            one, other = means[0][i], means[1][i]
            self.differences.append(
                f"{place}, loss at step {common[i]}: {one:.7g} before, {other:.7g} after "
                f"(off by {abs(other - one):.3g})"
            )

    def evaluation(self, place: str, before: Mapping, after: Mapping) -> None:
        """Compares the metrics of two evaluations."""
        self.differences += nests.differences(before, after, place, METRICS)

    def prediction(self, place: str, before: Predictions, after: Predictions) -> None:
        """Compares the predictions of two calls."""
        shapes_before, shapes_after = _shapes(before), _shapes(after)
        if shapes_before != shapes_after:
            self.differences += nests.differences(shapes_before, shapes_after, place)
            return
        self.differences += nests.differences(before.values, after.values, place, PREDICTIONS)
        for name, digest in before.digests.items():
            kept = np.size(before.values[name])
            shapes = before.shapes[name]
            whole = len(shapes) == 1 and kept == before.examples[name] * np.prod(shapes[0])
            if digest != after.digests[name] and not whole:
                self.undecided.append(f"{place}, {name}: values after the first {kept} differ")

    def checkpoints(
        self, before: Mapping[str, Checkpoint], after: Mapping[str, Checkpoint]
    ) -> None:
        """Compares the last checkpoints of the models' folders."""
        for model_dir, one in before.items():
            other = after.get(model_dir)
            if other is None:
                continue
            if one.by_name != other.by_name:
                self._converted(f"checkpoint of {model_dir}", one, other)
            else:
                self._variables(f"checkpoint of {model_dir}", one.variables, other.variables)
                self._count("checkpoints")

    def _variables(self, place: str, before: Mapping, after: Mapping) -> None:
        missing = [name for name in before if name not in after]
        added = [name for name in after if name not in before]
        if missing:
            self.differences.append(f"{place}: {_some(missing)} only before")
        if added:
            self.differences.append(f"{place}: {_some(added)} only after")
        for name in before:
            if name in after and not _is_text(before[name]):
                scale = float(np.max(np.abs(before[name]), initial=0.0))
                near = Tolerance(0.0, VARIABLES.atol + VARIABLES.rtol * scale)
                one, other = np.asarray(before[name]), np.asarray(after[name])
                self.differences += nests.differences(one, other, f"{place}, {name}", near)

    def _converted(self, place: str, before: Checkpoint, after: Checkpoint) -> None:
        """Compares an Estimator's checkpoint with one of Keras, matched as in a conversion."""
        from migrate.checkpoint import Options, comparing, open_source  # Imports TensorFlow.

        old, new = (before, after) if before.by_name else (after, before)
        options = Options(keep=tuple(f"model/{name}/*" for name in new.keep))
        with open_source(old.path) as left, open_source(new.path) as right:
            found = comparing.compare(
                left, right, options=options, rtol=VARIABLES.rtol, atol=1e2 * VARIABLES.atol
            )
        self.open += [f"{place}: {problem}" for problem in found.structure]
        self.differences += [
            f"{place}, {one.left} ({one.right} in Keras): off by {one.largest:.3g}"
            for one in found.values
            if one.differing
        ]
        self._count("checkpoints")


def _sums(losses: Sequence[tuple[int, float]]) -> dict[int, float]:
    """Returns the sum of the losses of all steps up to each step."""
    sums, total, last = {}, 0.0, 0
    for step, mean in losses:
        total += mean * (step - last)
        sums[step], last = total, step
    return sums


def _shapes(predictions: Predictions) -> dict[str, str]:
    return {
        name: f"{count} examples of shape "
        + ", ".join(str(tuple(shape)) for shape in predictions.shapes[name])
        for name, count in predictions.examples.items()
    }


def _is_text(value: Any) -> bool:
    return np.asarray(value).dtype.kind not in "biufc"


def _some(names: Sequence[str], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
