"""Compares the values with which two runs begin, variable by variable.

    values = first_values.compare(before, after)
    values.lines()  # ["initial values of model, rate: 0.1 before, 0.11 after"]

All random operations have the same seeds in both runs, so that initial values are equal. Where a
rewritten program draws its numbers in another way, they are other numbers. Then only their mean and
their deviation can be compared.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from migrate import same_run
from migrate.same_run import saved_variables
from migrate.same_run.nests import Tolerance

TOLERANCE = Tolerance(rtol=1e-6, atol=0.0)  # Relative to the largest value of a variable.
_ERRORS = 6.0  # Standard errors by which a mean or a deviation may be off.
_FEWEST = 100  # Fewer numbers do not show their distribution.
Place = tuple[str, str]  # The folder of a model, and the name of a variable.


@dataclasses.dataclass(frozen=True)
class FirstValues:
    """Result of a comparison of initial values.

    Attributes:
      compared: Number of compared variables.
      differences: Differences, by the folder and the name of the variable.
      drawn: Folders and names of variables with other random numbers of the same mean and
        deviation.
      unknown: Folders whose initial values only the first run has.
    """

    compared: int
    differences: Mapping[Place, str]
    drawn: tuple[Place, ...]
    unknown: tuple[str, ...]

    def lines(self) -> list[str]:
        """Returns a sentence for each difference."""
        return [
            f"initial values of {model_dir}, {name}: {difference}"
            for (model_dir, name), difference in self.differences.items()
        ]

    def not_compared(self) -> list[str]:
        """Returns a sentence for each variable of which only the distribution was compared."""
        return [
            f"initial values of {model_dir}, {name}: other random numbers, of which only the mean "
            "and the deviation were compared"
            for model_dir, name in self.drawn
        ]

    def details(self) -> list[str]:
        """Returns a sentence for each folder whose values are unknown."""
        return [
            f"initial values of {model_dir}: they could not be read, so only the losses show them"
            for model_dir in self.unknown
        ]

    def without(self, places: Collection[Place]) -> FirstValues:
        """Returns the result without some variables.

        Args:
          places: Folders and names of the variables.
        """
        differences = {
            place: difference
            for place, difference in self.differences.items()
            if place not in places
        }
        drawn = tuple(place for place in self.drawn if place not in places)
        return dataclasses.replace(self, differences=differences, drawn=drawn)


def compare(
    before: same_run.Recording,
    after: same_run.Recording,
    variations: Sequence[same_run.Recording] = (),
) -> FirstValues:
    """Compares the initial values of the folders of two runs.

    Args:
      before: Recording of the unmodified program.
      after: Recording of a rewritten form, whose folders have the names of `before`.
      variations: Further recordings of the unmodified program. Variables in which they differ are
        left out.
    """
    keep = {training.model_dir: training.keep for training in after.trainings}
    count, differences, drawn, unknown = 0, {}, [], []
    for model_dir, old in before.first_checkpoints.items():
        new = after.first_checkpoints.get(model_dir)
        if new is None:
            unknown.append(model_dir)
            continue
        for name, ours, theirs in _pairs(old, new, keep.get(model_dir, ())):
            count += 1
            if _is_equal(ours, theirs):
                continue
            if _is_drawn(ours, theirs):
                drawn.append((model_dir, name))
            else:
                differences[model_dir, name] = _difference(ours, theirs)
    values = FirstValues(count, differences, tuple(drawn), tuple(unknown))
    for variation in variations:
        own = compare(before, variation)
        values = values.without({*own.differences, *own.drawn})
    return values


def _pairs(
    old: str, new: str, keep: tuple[str, ...]
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yields the name and both values of each variable of numbers, if both have the same shape."""
    from migrate.checkpoint import open_source  # Imports TensorFlow.

    with contextlib.ExitStack() as stack:
        left, right = (stack.enter_context(open_source(path)) for path in (old, new))
        is_converted = saved_variables.is_of_keras(old) != saved_variables.is_of_keras(new)
        pairs = (
            saved_variables.pairs(left, right, keep) if is_converted else _of_one_name(left, right)
        )
        for name, ours, other in pairs:
            if ours.dtype.kind in "biufc" and ours.shape == other.shape:
                yield name, ours.astype(np.float64), other.astype(np.float64)


def _of_one_name(left: Any, right: Any) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    theirs = {variable.name: variable for variable in right.stored}
    for variable in left.stored:
        if variable.name in theirs:
            yield variable.name, left.read(variable), right.read(theirs[variable.name])


def _is_equal(ours: np.ndarray, theirs: np.ndarray) -> bool:
    scale = float(np.max(np.abs(ours), initial=0.0))
    atol = TOLERANCE.rtol * scale
    return bool(np.allclose(ours, theirs, rtol=0.0, atol=atol, equal_nan=True))


def _is_drawn(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Returns whether both are other random numbers, of one distribution as far as they show it."""
    if ours.size < _FEWEST or not (np.ptp(ours) and np.ptp(theirs)):
        return False  # Too few to show it, or a constant.
    old, new = np.ravel(ours), np.ravel(theirs)
    # The same numbers, of another scale or in another order.
    if abs(np.corrcoef(old, new)[0, 1]) > 0.999 or np.allclose(
        np.sort(old), np.sort(new), rtol=TOLERANCE.rtol
    ):
        return False
    deviation = float(np.sqrt((ours.var() + theirs.var()) / 2.0))
    fourth = float(np.mean((ours - ours.mean()) ** 4)) / deviation**4
    error_of_mean = deviation * np.sqrt(2.0 / ours.size)
    error_of_deviation = deviation * np.sqrt(max(fourth - 1.0, 1.0) / (2.0 * ours.size))
    return bool(
        abs(ours.mean() - theirs.mean()) <= _ERRORS * error_of_mean
        and abs(ours.std() - theirs.std()) <= _ERRORS * error_of_deviation
    )


def _difference(ours: np.ndarray, theirs: np.ndarray) -> str:
    if all(np.all(values == values.flat[0]) or values.size == 1 for values in (ours, theirs)):
        return f"{ours.flat[0]:.7g} before, {theirs.flat[0]:.7g} after"
    old, new = (f"mean {one.mean():.4g} and deviation {one.std():.4g}" for one in (ours, theirs))
    if old == new:
        return f"off by {np.max(np.abs(ours - theirs)):.3g}"
    return f"{old} before, {new} after"
