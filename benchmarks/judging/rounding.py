"""The effect of rounding on a training, which an exact check must exceed to show a difference.

    judged = with_control(exact_checks, control)

Two correct ways add the same numbers in another order, so their weights differ by rounding. Most
trainings keep that difference small. Others amplify it: batch normalization of 8 similar images
divides by a tiny variance, and after a few steps of `resnet56_cifar10` the weights of two equal
ways have nothing in common. A control tells the two kinds apart. It is the reference once more,
from initial weights that differ by rounding.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np

from migrate import equivalence
from migrate.equivalence import Check

# Rounding differs between ways in each operation of each step, and in the control only once. So a
# deviation counts as unexplained from this many times that of the control.
_UNEXPLAINED = 10.0


def nudged(weights: Mapping[str, np.ndarray], seed: int = 0) -> dict[str, np.ndarray]:
    """Returns weights that differ by rounding: each number by one unit in its last place.

    Args:
      weights: Arrays by name. Those of integers stay as they are.
      seed: Decides which numbers become larger, and which smaller.
    """
    random = np.random.default_rng(seed)
    result = {}
    for name, value in sorted(weights.items()):
        array = np.asarray(value)
        if array.dtype.kind == "f":
            ends = np.where(random.random(array.shape) < 0.5, -np.inf, np.inf)
            # The number next to zero has no effect, and slows some processors down.
            array = np.where(array == 0, array, np.nextafter(array, ends.astype(array.dtype)))
        result[name] = array
    return result


def needs_control(exact_checks: Sequence[Check]) -> bool:
    """Returns whether the outcome of any exact check depends on the effect of rounding."""
    return any(map(_deviates, exact_checks))


def with_control(exact_checks: Sequence[Check], control: Check) -> list[Check]:
    """Returns exact checks, in which deviations that rounding explains show no difference.

    Args:
      exact_checks: Checks of the exact tier.
      control: The check of the control against the reference.
    """
    # A control that diverges has no figure: then rounding explains anything.
    effect = math.inf if control.statistic is None else control.statistic
    return [
        dataclasses.replace(
            check,
            outcome=equivalence.INCONCLUSIVE,
            detail=(
                f"{check.detail} Rounding explains it: from initial weights that differ by "
                f"rounding, {control.b} deviates from itself by {effect:.3g}. Fewer --exact_steps "
                "may decide."
            ),
        )
        if _deviates(check) and (check.statistic or 0.0) <= _UNEXPLAINED * effect
        else check
        for check in exact_checks
    ]


def _deviates(check: Check) -> bool:
    return check.outcome == equivalence.DIFFERENT and check.statistic is not None
