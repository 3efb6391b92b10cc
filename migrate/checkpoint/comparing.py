"""What differs between two checkpoints of any kind: first what they consist of, then the values.

found = compare(open_source("a"), open_source("b"), rtol=1e-5)
found.same, found.structure, found.values[:3]
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from migrate.checkpoint.conversion import plans, values
from migrate.checkpoint.conversion.mapping import TensorMap
from migrate.checkpoint.conversion.plans import Move, Options
from migrate.checkpoint.formats.contents import Role
from migrate.checkpoint.formats.source import Source

_CHUNK = 1 << 22  # elements compared at a time, so that float64 copies stay small


@dataclasses.dataclass(frozen=True)
class Difference:
    """How far a tensor is from its like.

    Attributes:
      left: its name on the left; for the step, and what is derived from it, "(the step)".
      right: on the right.
      elements: how many.
      differing: how many of them are outside the tolerances.
      largest: the largest absolute difference; inf where one side alone is not a number.
      relative: that difference over the larger of both magnitudes.
    """

    left: str
    right: str
    elements: int
    differing: int
    largest: float
    relative: float


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Two checkpoints compared.

    Attributes:
      structure: what one of them has and the other has not, or otherwise; sentences.
      values: the tensors of which an element differs at all, the largest difference first.
      compared: how many tensors.
      identical: how many of them are equal to the last bit.
    """

    structure: list[str]
    values: list[Difference]
    compared: int
    identical: int

    @property
    def same(self) -> bool:
        """Whether nothing differs by more than the tolerances."""
        return not self.structure and not any(one.differing for one in self.values)


def compare(
    left: Source,
    right: Source,
    given: TensorMap | None = None,
    options: Options | None = None,
    rtol: float = 0.0,
    atol: float = 0.0,
) -> Comparison:
    """Compares two checkpoints as a conversion from the one to the other would pair them.

    Args:
      left: the one.
      right: the other.
      given: pairs that are settled.
      options: as for a conversion; what is left out or kept is not compared.
      rtol: an element differs if |l - r| > atol + rtol * |r|, as in numpy.allclose.
      atol: see `rtol`.

    Raises:
      cli.UsageError: a file is damaged, or `given` names what is not there.
    """
    plan = plans.make(left, right.stored, right.convention, given, options)
    found: list[Difference] = []
    compared = 0
    for move in plan.moves:
        target = move.target
        fits = move.source is None or move.source.shape == target.shape
        if (move.source is None and move.value is None) or not fits:
            continue
        compared += 1
        one = _difference(move, left, right, rtol, atol)
        if one:
            found.append(one)
    found.sort(key=lambda one: (not one.differing, -one.largest, one.left))
    return Comparison(plan.problems, found, compared, compared - len(found))


def _difference(
    move: Move, left: Source, right: Source, rtol: float, atol: float
) -> Difference | None:
    """How a tensor differs; None if it does not, to the last bit."""
    theirs = right.read(move.target)
    ours = values.value(move, left, None)
    if ours.dtype == theirs.dtype and values.same_bits(ours, theirs):
        return None
    name = move.source.name if move.source else "(the step)"
    rounded = move.target.role is Role.POWER and move.source is None
    if ours.dtype == object:
        count = int(np.sum(np.asarray(ours != theirs)))
        return Difference(name, move.target.name, ours.size, count, float(count), 1.0)
    # A beta power told from the step was a product of so many roundings on the other side.
    rtol = max(rtol, 1e-4) if rounded else rtol
    differing, largest, relative = 0, 0.0, 0.0
    ours, theirs = ours.reshape(-1), theirs.reshape(-1)
    for start in range(0, len(ours), _CHUNK):
        outside, far, share = _chunk(
            ours[start : start + _CHUNK], theirs[start : start + _CHUNK], rtol, atol
        )
        differing += outside
        largest, relative = max(largest, far), max(relative, share)
    return Difference(name, move.target.name, len(ours), differing, largest, relative)


def _chunk(ours: Any, theirs: Any, rtol: float, atol: float) -> tuple[int, float, float]:
    """How many elements are outside, the largest difference, and the largest relative one."""
    ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        equal = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
        far = np.where(equal, 0.0, np.abs(ours - theirs))
        far = np.where(np.isnan(far), np.inf, far)
        outside = ~equal & ~(far <= atol + rtol * np.abs(theirs))
        size = np.maximum(np.abs(ours), np.abs(theirs))
        share = np.divide(far, size, out=np.zeros_like(far), where=size > 0)
    share = np.where(np.isnan(share), np.inf, share)
    return int(outside.sum()), float(far.max(initial=0.0)), float(share.max(initial=0.0))
