"""The statistical tier: two one-sided tests on the figures of several runs.

from migrate import equivalence

check = equivalence.tost("loss", "legacy", "single", [0.31, 0.33], [0.32, 0.33], margin=0.05)
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from migrate.equivalence import differences
from migrate.equivalence.check import STATISTICAL, Check


def tost(
    name: str,
    a: str,
    b: str,
    samples_a: Sequence[float],
    samples_b: Sequence[float],
    margin: float,
    alpha: float = 0.05,
) -> Check:
    """Tests equivalence of two means by two one-sided tests (Schuirmann 1987) on independent runs.

    For runs that share no seeds. The statistic is the far end of the confidence interval of the
    difference, of level `1 - 2 * alpha`: it is at most `margin` exactly if both one-sided tests
    reject at level `alpha`, and unlike a p-value it has the unit of what is compared. `detail` and
    `numbers` say how probably the test passes if the ways are truly equal, and how small a true
    difference it would still have told, given the spread that was seen.

    Args:
      name: What is compared.
      a: The way on trial.
      b: The reference.
      samples_a: One figure per run of `a`. Fewer than two cannot tell and do not pass.
      samples_b: The same for the reference.
      margin: The largest difference of the means that counts as equivalent, in their unit; > 0.
      alpha: The probability to pass if the true difference is `margin`; in (0, 0.2].

    Returns:
      A check of the statistical tier.

    Raises:
      ValueError: `margin` or `alpha` is out of range.
    """
    _check_range(margin, alpha)
    values = np.asarray([*samples_a, *samples_b], float)
    reason = ""
    if min(len(samples_a), len(samples_b)) < 2:
        counts = f"{len(samples_a)} of {a} and {len(samples_b)} of {b}"
        reason = f"cannot tell from fewer than two runs each: there are {counts}"
    elif not np.all(np.isfinite(values)):
        reason = f"cannot tell: {_count_not_finite(values)} runs ended without a finite value"
    if reason:
        return Check(name, STATISTICAL, a, b, None, margin, False, reason)
    return _equivalent(name, a, b, differences.welch(samples_a, samples_b), margin, alpha)


def tost_paired(
    name: str,
    a: str,
    b: str,
    samples_a: Mapping[int, float],
    samples_b: Mapping[int, float],
    margin: float,
    alpha: float = 0.05,
) -> Check:
    """Tests equivalence as `tost` does, on runs of both ways from the same seeds.

    A seed fixes the initial weights and the order of the data, so runs of one seed end close
    together in every way. They are then not independent, as `tost` assumes, and the spread between
    seeds, which is not what is asked about, drops out of their differences: for the price of half
    the degrees of freedom the interval is usually several times narrower. So this is the test to
    use wherever both ways trained the same seeds, decided before the figures are seen.

    Args:
      name: What is compared.
      a: The way on trial.
      b: The reference.
      samples_a: Figure by seed; several runs of one seed are to be averaged first, because
        repetitions of a seed are no new evidence on other seeds.
      samples_b: The same for the reference. Other seeds, or fewer than two, do not pass.
      margin: As for `tost`.
      alpha: As for `tost`.

    Returns:
      A check of the statistical tier.

    Raises:
      ValueError: `margin` or `alpha` is out of range.
    """
    _check_range(margin, alpha)
    values = np.asarray([*samples_a.values(), *samples_b.values()], float)
    reason = ""
    if set(samples_a) != set(samples_b):
        odd = sorted(set(samples_a) ^ set(samples_b))
        reason = f"cannot pair the runs: only one of {a} and {b} has the seeds {odd}"
    elif len(samples_a) < 2:
        reason = f"cannot tell from fewer than two seeds: there is {len(samples_a)}"
    elif not np.all(np.isfinite(values)):
        reason = f"cannot tell: {_count_not_finite(values)} runs ended without a finite value"
    if reason:
        return Check(name, STATISTICAL, a, b, None, margin, False, reason)
    return _equivalent(name, a, b, differences.paired(samples_a, samples_b), margin, alpha)


def _check_range(margin: float, alpha: float) -> None:
    if not (math.isfinite(margin) and margin > 0):
        raise ValueError(f"margin={margin}: must be a positive number, the tolerated difference")
    if not 0 < alpha <= 1 - differences.TOLD_WITH:
        raise ValueError(
            f"alpha={alpha}: must be in (0, {1 - differences.TOLD_WITH:.1f}]; 0.05 is customary"
        )


def _count_not_finite(values: np.ndarray) -> str:
    return f"{np.count_nonzero(~np.isfinite(values))} of {values.size}"


def _equivalent(
    name: str, a: str, b: str, found: differences.Difference, margin: float, alpha: float
) -> Check:
    low, high = found.interval(alpha)
    statistic = max(abs(low), abs(high))
    numbers = {
        "difference": found.mean,
        "low": low,
        "high": high,
        "alpha": alpha,
        "p_value": found.p_value(margin),
        "pass_if_equal": found.pass_probability(0.0, margin, alpha),
        "detectable": found.detectable(margin, alpha),
    }
    level = f"{100 * (1 - 2 * alpha):.0f} %"
    detail = (
        f"Difference {found.mean:+.3g}, {level} interval {low:+.3g} to {high:+.3g}, margin "
        f"±{margin:.3g} (p = {numbers['p_value']:.2g}; {found.runs}). "
    )
    if found.error:
        detail += (
            f"Power: truly equal ways pass with probability {numbers['pass_if_equal']:.2f}; a true "
            f"difference of {numbers['detectable']:.3g} or more would have been told with "
            f"probability {differences.TOLD_WITH} or more."
        )
    else:
        detail += "The runs do not differ at all, so any difference beyond the margin would show."
    return Check(name, STATISTICAL, a, b, statistic, margin, statistic <= margin, detail, numbers)
