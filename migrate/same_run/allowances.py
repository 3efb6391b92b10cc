"""Differences that rounding alone makes in the results of a program.

allowed = Allowances(before, nudged)
allowed.metrics["loss"]

Training amplifies rounding. For example, the bias before a batch normalization has no gradient but
rounding, and Adam makes steps of full size from it. So a run from weights that differ by a
millionth shows how far the results of a program are determined at all. A rewritten program may
differ by a few times as much.

There is a limit for losses, gradients, metrics and predictions. Where rounding alone moves them by
more, a run can show neither that they are the same nor that they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from migrate.same_run import series
from migrate.same_run.recording import Recording

NUDGE = 1e-6  # Relative change of each initial weight.
_TIMES = 4.0
MOST = 0.02  # Relative limit for losses, gradients, metrics and predictions.


class Allowances:
    """Allowed differences. All are 0 without a second run.

    Args:
      before: A recording.
      nudged: Recording of the same program from slightly different weights, or None.
      most: Relative limit for losses, gradients, metrics and predictions.
    """

    def __init__(self, before: Recording, nudged: Recording | None, most: float = MOST) -> None:
        self._before, self.nudged, self._most = before, nudged, most

    @property
    def unlimited(self) -> Allowances:
        """The differences that rounding explains, without a limit."""
        return Allowances(self._before, self.nudged, np.inf)

    def losses(self, number: int, steps: Sequence[int]) -> Any:
        """Returns the allowed difference of the loss at each step.

        Args:
          number: Number of the training.
          steps: Its steps.
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
        sides = [one.predictions[number : number + 1] for one in (self._before, self._nudged)]
        return _largest(((a.values, b.values) for a, b in zip(*sides, strict=False)), self._most)

    def export(self, name: str) -> float:
        """Returns the allowed difference of the outputs of an export.

        Args:
          name: Name of the export.
        """
        from migrate.same_run import exports

        before, nudged = (one.exports.get(name) for one in (self._before, self._nudged))
        if before is None or nudged is None:
            return 0.0
        return _TIMES * exports.largest_difference(before, nudged, self._before.examples)

    def sentences(self) -> list[str]:
        """Returns the allowed differences of losses and metrics, if there are any."""
        found = [f"metric {name}: {size:.2g}" for name, size in self.metrics.items() if size]
        for number, training in enumerate(self._before.trainings):
            steps = [step for step, _ in training.losses]
            largest = float(np.max(self.losses(number, steps), initial=0.0))
            found += [f"loss of training {number + 1}: {largest:.2g}"] if largest else []
        return found

    def variables(self, model_dir: str) -> Mapping[str, float]:
        """Returns the allowed difference of each variable of a checkpoint by name.

        Args:
          model_dir: Folder of the model.
        """
        sides = [one.checkpoints.get(model_dir) for one in (self._before, self._nudged)]
        if None in sides:
            return {}
        # No limit, because a variable that rounding alone moves may be anything.
        return _largest([tuple(one.variables for one in sides if one)], np.inf)

    @property
    def _nudged(self) -> Recording:
        return self.nudged or Recording()

    def _of_steps(self, number: int, steps: Sequence[int], kind: str, of_mean: Any) -> Any:
        sides = [one.trainings[number : number + 1] for one in (self._before, self._nudged)]
        if not all(sides):
            return np.zeros(len(steps))
        common, means = series.means(*(getattr(one[0], kind) for one in sides))
        if [*common] != [*steps]:
            return np.zeros(len(steps))
        one, other = map(of_mean, means)
        allowed = _TIMES * np.maximum.accumulate(np.abs(other - one))
        allowed = np.nan_to_num(allowed)
        return allowed if np.isinf(self._most) else np.minimum(allowed, self._most * np.abs(one))


def _largest(pairs: Any, most: float) -> dict[str, float]:
    """Returns the allowed difference of values by name, from pairs of mappings."""
    found: dict[str, float] = {}
    for before, after in pairs:
        for name in before:
            one = np.asarray(before[name])
            if name not in after or one.dtype.kind != "f" or not one.size:
                continue
            other = np.asarray(after[name])
            if one.shape == other.shape:
                apart = float(np.nan_to_num(np.max(np.abs(other - one))))
                largest = float(np.nan_to_num(np.max(np.abs(one))))
                limit = np.inf if np.isinf(most) else most * largest
                found[name] = max(found.get(name, 0.0), min(_TIMES * apart, limit))
    return found
