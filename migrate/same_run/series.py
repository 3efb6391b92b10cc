"""Aligns series of means. Each mean covers one or several steps.

>>> means([(1, 0.5), (2, 0.25)], [(2, 0.375)])
([2], [array([0.375]), array([0.375])])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Series = Sequence[tuple[int, float]]


def means(before: Series, after: Series) -> tuple[list[int], list[Any]]:
    """Returns the steps that two series have in common, and the means of both between them.

    Args:
      before: Pairs of (last step, mean since the previous pair).
      after: Pairs of the same form.
    """
    sums = [_sums(series) for series in (before, after)]
    common = sorted(set(sums[0]) & set(sums[1]))
    steps = np.diff([0, *common])
    return common, [np.diff([0.0, *(totals[step] for step in common)]) / steps for totals in sums]


def _sums(values: Series) -> dict[int, float]:
    """Returns the sum of the values of all steps up to each step."""
    sums, total, last = {}, 0.0, 0
    for step, mean in values:
        total += mean * (step - last)
        sums[step], last = total, step
    return sums
