"""Differences that rounding alone causes in the results of a program.

allowed = Allowances(before, [nudged])
allowed.metrics["loss"]

Training amplifies rounding. For example, the gradient of a bias before a batch normalization is
only rounding, and Adam makes steps of full size from it. So a run from weights that differ by a
millionth shows how precisely the results of a program are determined. A rewritten program may
differ by a few times as much. So do two runs of a program that does not repeat its own results.

There is a limit for losses, gradients, metrics and predictions. Where rounding alone moves them by
more, a run can show neither that they are the same nor that they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from migrate.same_run import series, timed_evaluations
from migrate.same_run.recording import Recording

NUDGE = 1e-6  # Relative change of each initial weight.
_TIMES = 4.0  # Allowed difference, relative to that of the nudged run.
MOST = 0.02  # Relative limit for losses, gradients, metrics and predictions.


class Allowances:
    """Allowed differences between two runs. All are 0 without another run.

    Args:
      before: Recording of the unmodified program.
      variations: Recordings of the same program from slightly different weights, or of repetitions
        that differ.
      most: Relative limit for losses, gradients, metrics and predictions.
    """

    def __init__(
        self, before: Recording, variations: Sequence[Recording], most: float = MOST
    ) -> None:
        self._before, self.variations, self._most = before, tuple(variations), most

    @property
    def unlimited(self) -> Allowances:
        """The differences that rounding explains, without a limit."""
        return Allowances(self._before, self.variations, np.inf)

    def losses(self, number: int, steps: Sequence[int]) -> Any:
        """Returns the allowed difference of the loss at each step.

        Args:
          number: Number of the training.
          steps: Steps of the training.
        """
        return self._of_steps(number, steps, "losses", lambda value: value)

    def gradients(self, number: int, steps: Sequence[int]) -> Any:
        """Returns the allowed difference of the gradient norm at each step, as for `losses`."""
        return self._of_steps(number, steps, "gradients", np.sqrt)

    @property
    def metrics(self) -> Mapping[str, float]:
        """The allowed difference of each metric by name."""
        pairs: list[Any] = []
        for variation in self.variations:
            # The clock may give the runs other numbers of evaluations.
            before, after, _ = timed_evaluations.paired(self._before, variation)
            pairs += zip(before.evaluations, after.evaluations, strict=False)
        return _largest(pairs, self._most)

    def predictions(self, number: int) -> Mapping[str, float]:
        """Returns the allowed difference of each prediction by name.

        Args:
          number: Number of the call.
        """
        calls = [run.predictions[number : number + 1] for run in (self._before, *self.variations)]
        pairs = (
            (before.values, after.values)
            for other in calls[1:]
            for before, after in zip(calls[0], other, strict=False)
        )
        return _largest(pairs, self._most)

    def export(self, name: str) -> float:
        """Returns the allowed difference of the outputs of an export.

        Args:
          name: Name of the export.
        """
        from migrate.same_run import exports

        before = self._before.exports.get(name)
        others = [variation.exports.get(name) for variation in self.variations]
        sizes = (
            exports.largest_difference(before, other, self._before.examples)
            for other in others
            if before is not None and other is not None
        )
        return _TIMES * max(sizes, default=0.0)

    def sentences(self) -> list[str]:
        """Returns the allowed differences of losses and metrics, if there are any."""
        sentences = [f"metric {name}: {size:.2g}" for name, size in self.metrics.items() if size]
        for number, training in enumerate(self._before.trainings):
            steps = [step for step, _ in training.losses]
            largest = float(np.max(self.losses(number, steps), initial=0.0))
            sentences += [f"loss of training {number + 1}: {largest:.2g}"] if largest else []
        return sentences

    def variables(self, model_dir: str) -> Mapping[str, float]:
        """Returns the allowed difference of each variable of a checkpoint by name.

        Args:
          model_dir: Folder of the model.
        """
        before = self._before.checkpoints.get(model_dir)
        others = [variation.checkpoints.get(model_dir) for variation in self.variations]
        pairs = [
            (before.variables, other.variables)
            for other in others
            if before is not None and other is not None
        ]
        # No limit, because a variable that rounding alone moves may be anything.
        return _largest(pairs, np.inf)

    def _of_steps(self, number: int, steps: Sequence[int], kind: str, of_mean: Any) -> Any:
        base, sizes = np.zeros(len(steps)), np.zeros(len(steps))
        trainings = self._before.trainings[number : number + 1]
        for variation in self.variations:
            others = variation.trainings[number : number + 1]
            if not trainings or not others:
                continue
            common, means = series.means(
                *(getattr(training, kind) for training in (*trainings, *others))
            )
            if [*common] != [*steps]:
                continue
            base, moved = map(of_mean, means)
            sizes = np.maximum(sizes, np.nan_to_num(np.abs(moved - base)))
        allowed = _TIMES * np.maximum.accumulate(sizes) if len(sizes) else sizes
        return allowed if np.isinf(self._most) else np.minimum(allowed, self._most * np.abs(base))


def _largest(pairs: Any, most: float) -> dict[str, float]:
    """Returns the largest allowed difference of values by name, from pairs of mappings."""
    limits: dict[str, float] = {}
    for before, after in pairs:
        for name in before:
            value = np.asarray(before[name])
            if name not in after or value.dtype.kind != "f" or not value.size:
                continue
            nudged_value = np.asarray(after[name])
            if value.shape == nudged_value.shape:
                difference = float(np.nan_to_num(np.max(np.abs(nudged_value - value))))
                largest = float(np.nan_to_num(np.max(np.abs(value))))
                limit = np.inf if np.isinf(most) else most * largest
                limits[name] = max(limits.get(name, 0.0), min(_TIMES * difference, limit))
    return limits
