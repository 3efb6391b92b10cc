"""Measures, for each compared number, how far two correct programs can differ.

    floor = tolerances.Floor(values)      # values that the original computes
    floor.see(values_of_a_nudged_run)     # ... and again, from weights a rounding error away
    floor.tolerance("conv/kernel")

Two correct programs differ by rounding: their operations run in another order, fused or not. A
change of all weights, inputs and constants by one unit in the last place has the same effect on the
original, through the same depth and the same sums. Therefore the original runs several times with
such changes. The resulting change of each compared number is its noise floor.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

import numpy as np

_Key = TypeVar("_Key", bound=Hashable)

# Another program may deviate more than the farthest of these few runs. It also rounds at each
# operation, not only at the weights.
MARGIN = 16
RUNS = 4
WHY = (
    f"{MARGIN} times the noise floor, which is measured for each number: the original is run "
    f"{RUNS} times with all its weights, inputs and constants changed by one unit in the last "
    "place, and the largest change of that very tensor is taken, at least one unit in the last "
    "place of the tensor's largest value. Rounding in another order has effects of this size; "
    "mistakes in a port are larger by orders of magnitude."
)


class Floor(Generic[_Key]):
    """The noise floor of a set of arrays.

    Args:
      base: Values that the original computes, by name or by another key.
    """

    def __init__(self, base: Mapping[_Key, np.ndarray]) -> None:
        self.base = {key: np.asarray(value) for key, value in base.items()}
        self._noise = dict.fromkeys(self.base, 0.0)

    def see(self, nudged: Mapping[_Key, np.ndarray]) -> None:
        """Includes the values of a nudged run, with the same keys."""
        for key, value in nudged.items():
            self._noise[key] = max(self._noise[key], deviation(value, self.base[key]))

    def tolerance(self, key: _Key) -> float:
        """Returns the largest deviation that counts as rounding."""
        base = self.base[key]
        unit = float(np.finfo(base.dtype).eps) if base.dtype.kind == "f" else 0.0
        return MARGIN * max(self._noise[key], unit * size(base))


def deviation(a: np.ndarray, b: np.ndarray) -> float:
    """Returns the largest difference of two arrays of equal size, or inf if it is not finite."""
    if np.size(a) == 0:
        return 0.0
    difference = np.abs(np.ravel(a).astype(np.float64) - np.ravel(b).astype(np.float64))
    worst = float(np.max(difference))
    return worst if np.isfinite(worst) else np.inf


def size(a: np.ndarray) -> float:
    """Returns the largest absolute value."""
    return float(np.max(np.abs(a), initial=0.0))
