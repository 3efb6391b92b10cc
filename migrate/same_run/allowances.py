"""Differences that rounding alone causes in the results of a program.

allowed = Allowances(before, nudged)
allowed.metrics["loss"]

Training amplifies rounding. For example, the gradient of a bias before a batch normalization is
only rounding, and Adam makes steps of full size from it. So a run from weights that differ by a
millionth shows how precisely the results of a program are determined. A rewritten program may
differ by a few times as much.

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
    """Allowed differences between two runs. All are 0 without a nudged run.

    Args:
      before: Recording of the unmodified program.
      nudged: Recording of the same program from slightly different weights, or None.
      most: Relative limit for losses, gradients, metrics and predictions.
    """

    def __init__(self, before: Recording, nudged: Recording | None, most: float = MOST) -> None:
        if nudged is not None:  # The clock may give the runs other numbers of evaluations.
            before, nudged, _ = timed_evaluations.paired(before, nudged)
        self._before, self.nudged, self._most = before, nudged, most

    @property
    def unlimited(self) -> Allowances:
        """The differences that rounding explains, without a limit."""
        return Allowances(self._before, self.nudged, np.inf)

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
        pairs = zip(self._before.evaluations, self._nudged.evaluations, strict=False)
        return _largest(pairs, self._most)

    def predictions(self, number: int) -> Mapping[str, float]:
        """Returns the allowed difference of each prediction by name.

        Args:
          number: Number of the call.
        """
        sides = [run.predictions[number : number + 1] for run in (self._before, self._nudged)]
        return _largest(((a.values, b.values) for a, b in zip(*sides, strict=False)), self._most)

    def export(self, name: str) -> float:
        """Returns the allowed difference of the outputs of an export.

        Args:
          name: Name of the export.
        """
        from migrate.same_run import exports

        before, nudged = (run.exports.get(name) for run in (self._before, self._nudged))
        if before is None or nudged is None:
            return 0.0
        return _TIMES * exports.largest_difference(before, nudged, self._before.examples)

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
        sides = [run.checkpoints.get(model_dir) for run in (self._before, self._nudged)]
        if None in sides:
            return {}
        # No limit, because a variable that rounding alone moves may be anything.
        return _largest([tuple(checkpoint.variables for checkpoint in sides if checkpoint)], np.inf)

    @property
    def _nudged(self) -> Recording:
        return self.nudged or Recording()

    def _of_steps(self, number: int, steps: Sequence[int], kind: str, of_mean: Any) -> Any:
        sides = [run.trainings[number : number + 1] for run in (self._before, self._nudged)]
        if not all(sides):
            return np.zeros(len(steps))
        common, means = series.means(*(getattr(trainings[0], kind) for trainings in sides))
        if [*common] != [*steps]:
            return np.zeros(len(steps))
        base, nudged = map(of_mean, means)
        allowed = _TIMES * np.maximum.accumulate(np.abs(nudged - base))
        allowed = np.nan_to_num(allowed)
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
