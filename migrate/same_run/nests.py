"""Lists the differences of nested values: dictionaries and lists of numbers, arrays and texts.

>>> differences({"a": [1.0, 2.0]}, {"a": [1.0, 2.5]})
['a[1]: 2.0 before, 2.5 after (off by 0.5)']
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """The largest allowed difference of numbers: `|before - after| <= atol + rtol * |before|`.

    Attributes:
      rtol: Relative tolerance.
      atol: Absolute tolerance.
    """

    rtol: float
    atol: float

    def agrees(self, before: Any, after: Any) -> np.ndarray:
        """Returns for each number whether it agrees. NaN agrees with NaN.

        Args:
          before: Numbers of any shape.
          after: Numbers of the same shape.
        """
        return np.isclose(after, before, self.rtol, self.atol, equal_nan=True)


# Rounding of float32 arithmetic in another order.
ROUNDING = Tolerance(rtol=1e-5, atol=1e-6)


def differences(
    before: Any, after: Any, place: str = "", tolerance: Tolerance = ROUNDING
) -> list[str]:
    """Returns a line for each place where two values differ.

    Args:
      before: A nest of mappings, lists, arrays, numbers and texts.
      after: Another nest.
      place: Place of the values, which starts each line.
      tolerance: Tolerance of numbers. Integers must be equal.
    """
    return [*_lines(before, after, place, tolerance)]


def _lines(before: Any, after: Any, place: str, tolerance: Tolerance) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in [*before, *(name for name in after if name not in before)]:
            where = f"{place}, {name}" if place else f"{name}"
            if name not in after:
                yield f"{where}: {_shown(before[name])} before, missing after"
            elif name not in before:
                yield f"{where}: missing before, {_shown(after[name])} after"
            else:
                yield from _lines(before[name], after[name], where, tolerance)
    elif isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)):
        if len(before) != len(after):
            yield f"{place}: {len(before)} values before, {len(after)} after"
            return
        for i, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _lines(one, other, f"{place}[{i}]", tolerance)
    else:
        yield from _of_arrays(before, after, place, tolerance)


def _of_arrays(before: Any, after: Any, place: str, tolerance: Tolerance) -> Iterator[str]:
    one, other = np.asarray(before), np.asarray(after)
    if one.shape != other.shape:
        yield f"{place}: shape {one.shape} before, {other.shape} after"
        return
    numbers = all(array.dtype.kind in "biufc" for array in (one, other))
    whole = all(array.dtype.kind in "biu" for array in (one, other))
    if numbers and not whole:
        agrees = tolerance.agrees(one, other)
    else:
        agrees = np.asarray(one == other) if numbers else _equal_texts(one, other)
    if np.all(agrees):
        return
    wrong = np.argwhere(~agrees.reshape(one.shape))
    if numbers:
        # Reports the largest difference, because it tells most.
        apart = np.abs(np.subtract(other, one, dtype=np.float64))[tuple(wrong.T)]
        first = tuple(wrong[np.argmax(np.where(np.isnan(apart), np.inf, apart))])
    else:
        first = tuple(wrong[0])
    index = "".join(f"[{i}]" for i in first)
    line = f"{place}{index}: {_shown(one[first])} before, {_shown(other[first])} after"
    if numbers:
        line += f" (off by {abs(float(other[first]) - float(one[first])):.3g})"
    yield line + (f"; {len(wrong)} of {one.size} values differ" if one.size > 1 else "")


def _equal_texts(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    pairs = zip(one.ravel().tolist(), other.ravel().tolist(), strict=True)
    return np.array([type(a) is type(b) and a == b for a, b in pairs], bool)


def _shown(value: Any) -> str:
    array = np.asarray(value)
    if array.ndim:
        return f"an array of shape {array.shape}"
    return repr(array.item())
