"""The statistical tier: tests on the figures of several runs.

    from migrate import equivalence

    check = equivalence.tost("loss", "legacy", "single", [0.31, 0.33], [0.32, 0.33], margin=0.05)

`tost_paired` is stronger if both ways have trained the same seeds.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from migrate.equivalence import differences
from migrate.equivalence.check import DIFFERENT, INCONCLUSIVE, STATISTICAL, Check
from migrate.equivalence.sequential import Levels


def tost(
    name: str,
    a: str,
    b: str,
    samples_a: Sequence[float],
    samples_b: Sequence[float],
    margin: float,
    levels: Levels | None = None,
) -> Check:
    """Tests the difference of two means of independent runs against a margin.

    For runs that share no seeds. The statistic is the far end of the confidence interval for
    equivalence. It is at most `margin` exactly if both one-sided tests of the TOST reject, and
    unlike a p-value it has the unit of the figures.

    Args:
      name: Name of the compared figure.
      a: The way under test.
      b: The reference.
      samples_a: One figure per run of `a`. Fewer than two are inconclusive.
      samples_b: The same for the reference.
      margin: The largest difference of the means that counts as equivalent, in their unit. > 0.
      levels: Levels of the tests. Default: 0.05 for equivalence and for a difference, which is
        right for one check that is made once.

    Returns:
      A check of the statistical tier.

    Raises:
      ValueError: `margin` is out of range.
    """
    _check_margin(margin)
    header = (name, STATISTICAL, a, b)
    if min(len(samples_a), len(samples_b)) < 2:
        counts = f"{len(samples_a)} of {a} and {len(samples_b)} of {b}"
        reason = f"Fewer than two runs each cannot tell: there are {counts}."
        return Check(*header, None, margin, INCONCLUSIVE, reason)
    divergence = _divergence(header, samples_a, samples_b, margin)
    if divergence:
        return divergence
    return difference_check(header, differences.welch(samples_a, samples_b), margin, levels)


def tost_paired(
    name: str,
    a: str,
    b: str,
    samples_a: Mapping[int, float],
    samples_b: Mapping[int, float],
    margin: float,
    levels: Levels | None = None,
) -> Check:
    """Tests like `tost`, on runs of both ways from the same seeds.

    A seed fixes the initial weights and the order of the data, so runs of one seed end close
    together in every way. Their differences are free of the spread between seeds, so the interval
    is usually several times narrower. Both ways must have trained the same seeds.

    Args:
      name: Name of the compared figure.
      a: The way under test.
      b: The reference.
      samples_a: Figure by seed. Average several runs of one seed first, because repetitions of a
        seed are no new evidence on other seeds.
      samples_b: The same for the reference. Other seeds, or fewer than two, are inconclusive.
      margin: As for `tost`.
      levels: As for `tost`.

    Returns:
      A check of the statistical tier.

    Raises:
      ValueError: `margin` is out of range.
    """
    _check_margin(margin)
    header = (name, STATISTICAL, a, b)
    reason = why_unpaired(a, b, samples_a, samples_b)
    if reason:
        return Check(*header, None, margin, INCONCLUSIVE, reason)
    seeds = sorted(samples_a)
    divergence = _divergence(
        header, [samples_a[s] for s in seeds], [samples_b[s] for s in seeds], margin
    )
    if divergence:
        return divergence
    return difference_check(header, differences.paired(samples_a, samples_b), margin, levels)


def why_unpaired(a: str, b: str, of_a: Mapping[int, object], of_b: Mapping[int, object]) -> str:
    """Returns the reason why runs of two ways cannot be paired by seed, or ""."""
    if set(of_a) != set(of_b):
        odd = sorted(set(of_a) ^ set(of_b))
        return f"The runs cannot be paired: only one of {a} and {b} has the seeds {odd}."
    if len(of_a) < 2:
        return f"Fewer than two seeds cannot tell: there is {len(of_a)}."
    return ""


def difference_check(
    header: tuple[str, str, str, str],
    difference: differences.Difference,
    margin: float,
    levels: Levels | None,
) -> Check:
    """Returns the check of a difference against a margin.

    Args:
      header: Name, tier, way under test and reference.
      difference: The estimate.
      margin: As for `tost`.
      levels: As for `tost`.
    """
    levels = levels or Levels(0.05, 0.05)
    outcome = difference.outcome(margin, levels)
    # The interval that decided the outcome.
    level = levels.different if outcome == DIFFERENT else levels.equivalent
    low, high = difference.interval(level)
    more_seeds = None
    detail = (
        f"Difference {difference.mean:+.3g}, {100 * (1 - 2 * level):.4g} % interval {low:+.3g} to "
        f"{high:+.3g}, margin ±{margin:.3g} ({difference.runs})."
    )
    if outcome == INCONCLUSIVE:
        more_seeds = differences.seeds_to_decide(difference, margin, levels)
        decides = "no number of seeds" if more_seeds is None else f"{more_seeds} more seeds"
        detail += f" With this mean and spread, {decides} would decide."
    numbers = {"difference": difference.mean, "low": low, "high": high, "level": level}
    statistic = max(abs(low), abs(high))
    return Check(*header, statistic, margin, outcome, detail, numbers, more_seeds)


def _check_margin(margin: float) -> None:
    if not (math.isfinite(margin) and margin > 0):
        raise ValueError(f"margin={margin}: must be a positive number, the tolerated difference")


def _divergence(
    header: tuple[str, str, str, str],
    values_a: Sequence[float],
    values_b: Sequence[float],
    margin: float,
) -> Check | None:
    """Returns the check of runs, some of which have no finite figure, or None."""
    *_, a, b = header
    count_a, count_b = (int(np.count_nonzero(~np.isfinite(v))) for v in (values_a, values_b))
    if not count_a and not count_b:
        return None
    detail = (
        f"{count_a} of {len(values_a)} runs of {a} and {count_b} of {len(values_b)} of {b} ended "
        "without a finite value."
    )
    # If the reference diverges, a way that diverges, too, is no worse.
    outcome = INCONCLUSIVE if count_b else DIFFERENT
    return Check(*header, None, margin, outcome, detail)
