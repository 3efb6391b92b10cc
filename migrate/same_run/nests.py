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
        """Returns an array that is true where the numbers agree. NaN agrees with NaN.

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
      before: Nest of mappings, lists, arrays, numbers and texts.
      after: Nest to compare with `before`.
      place: Place of the values, which starts each line.
      tolerance: Tolerance of numbers. Integers must be equal.
    """
    return [*_lines(before, after, place, tolerance)]


def _lines(before: Any, after: Any, place: str, tolerance: Tolerance) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in [*before, *(name for name in after if name not in before)]:
            where = f"{place}, {name}" if place else f"{name}"
            if name not in after:
                yield f"{where}: {_format(before[name])} before, missing after"
            elif name not in before:
                yield f"{where}: missing before, {_format(after[name])} after"
            else:
                yield from _lines(before[name], after[name], where, tolerance)
    elif isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)):
        if len(before) != len(after):
            yield f"{place}: {len(before)} values before, {len(after)} after"
            return
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _lines(old, new, f"{place}[{i}]", tolerance)
    else:
        yield from _array_lines(before, after, place, tolerance)


def _array_lines(before: Any, after: Any, place: str, tolerance: Tolerance) -> Iterator[str]:
    old, new = np.asarray(before), np.asarray(after)
    if old.shape != new.shape:
        yield f"{place}: shape {old.shape} before, {new.shape} after"
        return
    are_numbers = all(array.dtype.kind in "biufc" for array in (old, new))
    are_integers = all(array.dtype.kind in "biu" for array in (old, new))
    if are_numbers and not are_integers:
        agrees = tolerance.agrees(old, new)
    else:
        agrees = np.asarray(old == new) if are_numbers else _equal_texts(old, new)
    if np.all(agrees):
        return
    indices = np.argwhere(~agrees.reshape(old.shape))
    if are_numbers:
        # Reports the largest difference, because it is the most informative.
        distances = np.abs(np.subtract(new, old, dtype=np.float64))[tuple(indices.T)]
        first = tuple(indices[np.argmax(np.where(np.isnan(distances), np.inf, distances))])
    else:
        first = tuple(indices[0])
    index = "".join(f"[{i}]" for i in first)
    line = f"{place}{index}: {_format(old[first])} before, {_format(new[first])} after"
    if are_numbers:
        line += f" (off by {abs(float(new[first]) - float(old[first])):.3g})"
    yield line + (f"; {len(indices)} of {old.size} values differ" if old.size > 1 else "")


def _equal_texts(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    pairs = zip(old.ravel().tolist(), new.ravel().tolist(), strict=True)
    return np.array([type(a) is type(b) and a == b for a, b in pairs], bool)


def _format(value: Any) -> str:
    array = np.asarray(value)
    if array.ndim:
        return f"an array of shape {array.shape}"
    return repr(array.item())
