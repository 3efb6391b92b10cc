"""The trajectory tier: every loss curve stays within the envelope of the reference's.

from migrate import equivalence

check = equivalence.trajectory("loss", "legacy", "single", curves_legacy, curves_single)
"""

from collections.abc import Sequence

import numpy as np

from migrate.equivalence.check import TRAJECTORY, Check

Curve = Sequence[tuple[float, float]]
_SHARED_RANGE = 0.8  # of the examples seen by any run, the part that all must have in common
_SCATTERS = 1.5  # of the reference's runs, by which their envelope is widened
_FEWEST_STRETCHES = 5  # that a run's course must have to be compared


def trajectory(
    name: str,
    a: str,
    b: str,
    curves_a: Sequence[Curve],
    curves_b: Sequence[Curve],
    *,
    tolerance: float = 0.1,
    bins: int = 20,
) -> Check:
    """Checks that every loss curve of `a` stays within the envelope of the reference's.

    A point of a curve is the mean loss of a stretch of the training. A run of `a` is cut where its
    own stretches end, at most `bins` times in the range of examples that all runs cover, and the
    reference's runs are averaged over the same stretches: so a run that was sampled seldom while
    the loss fell fast is compared with means as wide as its own. The envelope of a stretch is the
    smallest to the largest mean of the reference's runs, widened by `_SCATTERS` times their
    scatter, the median over the stretches of the standard deviation among these runs: equal runs
    see other batches and leave the range of a few others by about as much. The statistic is the
    farthest that any run of `a` leaves the envelope, above or below, as a part of the reference's
    drop in loss.

    Args:
      name: What is compared.
      a: The way on trial.
      b: The reference.
      curves_a: One curve per run, of at least two points: (examples seen by all trainers at the end
        of a stretch, mean loss since the point before it; the first since 0). The points may be in
        any order.
      curves_b: The same for the reference. More runs make a truer envelope; one is allowed. A
        stretch of `a` that ends within one of these is taken to see that one's mean.
      tolerance: The limit of the statistic: how far outside is allowed, as a part of the drop.
      bins: Into how many stretches the range is cut.

    Returns:
      A check of the trajectory tier. It does not pass if the reference's loss does not fall so far
      that a run which never learned would be told from it, or if a run of `a` has fewer than
      `_FEWEST_STRETCHES` in the range, too few to be a course.
    """
    checked = (name, TRAJECTORY, a, b)
    reason = _unusable(a, curves_a) or _unusable(b, curves_b)
    if reason:
        return Check(*checked, None, tolerance, False, reason)
    lasts = [max(x for x, _ in curve) for curve in (*curves_a, *curves_b)]
    shared, whole = min(lasts), max(lasts)
    if shared < _SHARED_RANGE * whole:
        why = (
            f"the runs share {max(shared, 0):.0f} of {whole:.0f} examples seen: too few to compare "
            "their courses"
        )
        return Check(*checked, None, tolerance, False, why)
    even = np.linspace(0, shared, bins + 1)
    of_b = np.array([_means(curve, even) for curve in curves_b])
    low, high = of_b.min(axis=0), of_b.max(axis=0)
    drop = float(np.median(of_b[:, 0] - of_b[:, -1]))
    rounding = 1e-6 * float(np.max(np.abs(of_b)))
    if drop <= rounding or float(np.max(low[0] - high)) <= tolerance * drop:
        why = (
            f"the loss of {b} does not fall clearly (by {drop:.3g} in the median): a run that "
            "never learned would pass as well"
        )
        return Check(*checked, None, tolerance, False, why)
    cuts = [_cuts(curve, even) for curve in curves_a]
    coarsest = int(np.argmin([len(edges) for edges in cuts]))
    if len(cuts[coarsest]) <= _FEWEST_STRETCHES:
        why = (
            f"run {coarsest + 1} of {a} has {len(cuts[coarsest]) - 1} stretches in {shared:.0f} "
            "examples: too few to compare its course; train longer"
        )
        return Check(*checked, None, tolerance, False, why)
    scatter = float(np.median(np.std(of_b, axis=0, ddof=1))) if len(of_b) > 1 else 0.0
    left = [
        _leaves(curve, edges, curves_b, _SCATTERS * scatter)
        for curve, edges in zip(curves_a, cuts, strict=True)
    ]
    run = int(np.argmax([np.max(np.abs(outside)) for outside in left]))
    place = int(np.argmax(np.abs(left[run])))
    farthest = float(left[run][place])
    detail = (
        f"{len(curves_a)} runs against the envelope of {len(curves_b)}; the loss of {b} falls by "
        f"{drop:.3g}, and its runs scatter by {scatter:.2g}. "
    )
    detail += _farthest_outside(run, farthest, cuts[run][place : place + 2])
    everywhere = np.concatenate(left)
    numbers = {
        "drop": drop,
        "scatter": scatter,
        "fraction_outside": float(np.mean(everywhere != 0)),
    }
    statistic = abs(farthest) / drop
    return Check(*checked, statistic, tolerance, statistic <= tolerance, detail, numbers)


def _farthest_outside(run: int, farthest: float, stretch: np.ndarray) -> str:
    """Returns the sentence on the point that is farthest outside of the envelope."""
    if not farthest:
        return "No run leaves it."
    side = "above" if farthest > 0 else "below"
    return (
        f"Farthest outside: run {run + 1}, {abs(farthest):.3g} {side} it, from {stretch[0]:.0f} to "
        f"{stretch[1]:.0f} examples."
    )


def _unusable(way: str, curves: Sequence[Curve]) -> str:
    """Returns why the curves cannot be compared; "" if they can."""
    if not curves:
        return f"{way} has no loss curve"
    for run, curve in enumerate(curves, start=1):
        if len({x for x, _ in curve}) < 2:
            return f"the loss curve of run {run} of {way} has fewer than two points"
        if not np.all(np.isfinite(np.asarray(curve, float))):
            return f"the loss of run {run} of {way} is not finite throughout"
    return ""


def _totals(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    """Returns where the stretches end, from 0 on, and the sum of the loss up to there."""
    points = np.asarray(curve, np.float64)
    ends, where = np.unique(points[:, 0], return_inverse=True)
    means = np.bincount(where, points[:, 1]) / np.bincount(where)
    knots = np.concatenate([[0.0], ends])
    return knots, np.concatenate([[0.0], np.cumsum(np.diff(knots) * means)])


def _means(curve: Curve, edges: np.ndarray) -> np.ndarray:
    """Returns the mean loss between each two edges, shape [len(edges) - 1]."""
    return np.diff(np.interp(edges, *_totals(curve))) / np.diff(edges)


def _cuts(curve: Curve, even: np.ndarray) -> np.ndarray:
    """Returns those ends of the curve's stretches that are nearest to even ones, increasing."""
    knots, _ = _totals(curve)
    inside = knots[knots <= even[-1]]
    nearest = np.argmin(np.abs(inside[None, :] - even[:, None]), axis=1)
    return inside[np.unique(nearest)]


def _leaves(
    curve: Curve, edges: np.ndarray, reference: Sequence[Curve], margin: float
) -> np.ndarray:
    """Returns how far the curve is above (below: negative) the envelope; 0 within it."""
    means = _means(curve, edges)
    of_reference = np.array([_means(run, edges) for run in reference])
    low, high = of_reference.min(axis=0) - margin, of_reference.max(axis=0) + margin
    return np.maximum(means - high, 0.0) - np.maximum(low - means, 0.0)
