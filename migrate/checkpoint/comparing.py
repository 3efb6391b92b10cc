"""Compares two checkpoints of any kind: first their structure, then their values.

comparison = compare(open_source("a"), open_source("b"), rtol=1e-5)
comparison.same, comparison.structure, comparison.values[:3]
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from migrate.checkpoint.cells import layout_view
from migrate.checkpoint.conversion import plans, values
from migrate.checkpoint.conversion.plans import Move, Options
from migrate.checkpoint.formats.contents import Role
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming.mapping import TensorMap

_CHUNK = 1 << 22  # Elements compared at once, so that float64 copies stay small.


@dataclasses.dataclass(frozen=True)
class Difference:
    """Difference between a tensor and its counterpart.

    Attributes:
      left: Name on the left. "(the step)" for the step and values derived from it.
      right: Name on the right.
      elements: Number of elements.
      differing: Number of elements outside the tolerances.
      largest: Largest absolute difference. inf if only one side is NaN.
      relative: That difference divided by the larger of both magnitudes.
    """

    left: str
    right: str
    elements: int
    differing: int
    largest: float
    relative: float


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Result of the comparison of two checkpoints.

    Attributes:
      structure: Sentences on the parts that only one checkpoint has, or that differ in form.
      values: Tensors with any differing element, the largest difference first.
      compared: Number of compared tensors.
      identical: Number of tensors that are equal to the last bit.
      names: Names on the left of the compared tensors, without the step.
    """

    structure: list[str]
    values: list[Difference]
    compared: int
    identical: int
    names: list[str] = dataclasses.field(default_factory=list)

    @property
    def same(self) -> bool:
        """True if no difference exceeds the tolerances."""
        return not self.structure and not any(difference.differing for difference in self.values)


def compare(
    left: Source,
    right: Source,
    given: TensorMap | None = None,
    options: Options | None = None,
    rtol: float = 0.0,
    atol: float = 0.0,
) -> Comparison:
    """Compares two checkpoints, paired as a conversion from one to the other would pair them.

    Args:
      left: First checkpoint.
      right: Second checkpoint.
      given: Settled pairs.
      options: Options of a conversion. Tensors that are left out or kept are not compared.
      rtol: Relative tolerance. An element differs if |l - r| > atol + rtol * |r|, as in
        numpy.allclose.
      atol: Absolute tolerance. See `rtol`.

    Raises:
      cli.UsageError: A file is damaged, or `given` names a variable that does not exist.
    """
    options = options or Options()
    view = layout_view.like(
        right,
        left,
        given,
        options.forget_bias,
        has_slots=not options.weights_only,
        excluded=plans.excluded(left.stored, right.stored, given, options),
    )
    plan = plans.make(view, right.stored, right.convention, given, options)
    plan.problems[:0] = view.problems
    differences: list[Difference] = []
    count, names = 0, []
    for move, ours, theirs in _values(plan, view, right):
        count += 1
        if move.source is not None:
            names.append(move.source.name)
        difference = _difference(move, ours, theirs, rtol, atol)
        if difference:
            differences.append(difference)
    differences.sort(
        key=lambda difference: (not difference.differing, -difference.largest, difference.left)
    )
    return Comparison(plan.problems, differences, count, count - len(differences), names)


def pairs(
    left: Source, right: Source, options: Options | None = None
) -> Iterator[tuple[Move, np.ndarray, np.ndarray]]:
    """Yields the tensors that both checkpoints have, each with its value in both.

    Args:
      left: First checkpoint. Its value has the form that it would have in the second one.
      right: Second checkpoint.
      options: As for `compare`.
    """
    yield from _values(plans.make(left, right.stored, right.convention, None, options), left, right)


def _values(
    plan: plans.Plan, left: Source, right: Source
) -> Iterator[tuple[Move, np.ndarray, np.ndarray]]:
    for move in plan.moves:
        fits = move.source is None or move.source.shape == move.target.shape
        if fits and (move.source is not None or move.value is not None):
            yield move, values.value(move, left, None), right.read(move.target)


def _difference(
    move: Move, ours: np.ndarray, theirs: np.ndarray, rtol: float, atol: float
) -> Difference | None:
    """Returns the difference of a tensor, or None if it is equal to the last bit."""
    if ours.dtype == theirs.dtype and values.same_bits(ours, theirs):
        return None
    name = move.source.name if move.source else "(the step)"
    rounded = move.target.role is Role.POWER and move.source is None
    if ours.dtype == object:
        count = int(np.sum(np.asarray(ours != theirs)))
        return Difference(name, move.target.name, ours.size, count, float(count), 1.0)
    # A beta power that is computed from the step is rounded once. The other side is a product
    # that was rounded in each step.
    rtol = max(rtol, 1e-4) if rounded else rtol
    differing_count, largest, relative = 0, 0.0, 0.0
    ours, theirs = ours.reshape(-1), theirs.reshape(-1)
    for start in range(0, len(ours), _CHUNK):
        outside, distance, share = _chunk(
            ours[start : start + _CHUNK], theirs[start : start + _CHUNK], rtol, atol
        )
        differing_count += outside
        largest, relative = max(largest, distance), max(relative, share)
    return Difference(name, move.target.name, len(ours), differing_count, largest, relative)


def _chunk(ours: Any, theirs: Any, rtol: float, atol: float) -> tuple[int, float, float]:
    """Returns the number of elements outside, the largest and the largest relative difference."""
    ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        equal = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
        distance = np.where(equal, 0.0, np.abs(ours - theirs))
        distance = np.where(np.isnan(distance), np.inf, distance)
        outside = ~equal & ~(distance <= atol + rtol * np.abs(theirs))
        size = np.maximum(np.abs(ours), np.abs(theirs))
        share = np.divide(distance, size, out=np.zeros_like(distance), where=size > 0)
    share = np.where(np.isnan(share), np.inf, share)
    return int(outside.sum()), float(distance.max(initial=0.0)), float(share.max(initial=0.0))
