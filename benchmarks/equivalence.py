"""Tells whether two ways of training reach the same result, in three tiers of checks.

Every check compares `a`, the way on trial, with `b`, the reference. It passes if its `statistic`
does not exceed its `limit`, and it cannot pass unless it could have failed on the same data:
weights that never moved, a loss that never fell, a single seed or a value that is not a number are
all reasons not to pass, and the reason stands in `detail`.

    from benchmarks import equivalence

    checks = [
        equivalence.exact("weights after 20 steps", "legacy", "single", w_legacy, w_single,
                          initial=w_0),
        equivalence.tost_paired("evaluation loss", "legacy", "single", {1: 0.31, 2: 0.33, 3: 0.30},
                                {1: 0.32, 2: 0.33, 3: 0.31}, margin=0.05),
        equivalence.trajectory("training loss", "legacy", "single", curves_legacy, curves_single),
    ]
    if not equivalence.verdict(checks):
        print([check.detail for check in checks if not check.passed])
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks import differences

EXACT = "exact"
STATISTICAL = "statistical"
TRAJECTORY = "trajectory"
TIERS = (EXACT, STATISTICAL, TRAJECTORY)

CATCHES = {
    EXACT: (
        "An error in the arithmetic of one step: gradients summed where they should be averaged, a "
        "learning rate not scaled, a variable dropped or renamed, labels shifted, two workers "
        "reading the same shard."
    ),
    STATISTICAL: (
        "A result that is worse, or better, than the reference's by more than the margin, where "
        "asynchronous updates make every run different: lost updates, stale gradients that hurt, "
        "labels shifted, part of the data never read."
    ),
    TRAJECTORY: (
        "Another course to a similar end: training that is faster or slower per example than the "
        "reference, as with a wrong learning rate or summed gradients, a restart, or a divergence."
    ),
}

Curve = Sequence[tuple[float, float]]
_SHARED_RANGE = 0.8  # of the examples seen by any run, the part that all must have in common
_SCATTERS = 1.5  # of the reference's runs, by which their envelope is widened
_FEWEST_STRETCHES = 5  # that a run's course must have to be compared


@dataclasses.dataclass(frozen=True)
class Check:
    """One comparison and its outcome.

    Attributes:
      name: What is compared, such as "evaluation loss".
      tier: "exact", "statistical" or "trajectory".
      a: The way on trial.
      b: The reference.
      statistic: The measured figure, in the unit of `limit`; None if it could not be computed, and
        then the check has not passed.
      limit: The largest statistic that passes.
      passed: Whether it passed.
      detail: One to three sentences: what was found, or why nothing can be told.
      numbers: Further figures, such as the ends of a confidence interval.
    """

    name: str
    tier: str
    a: str
    b: str
    statistic: float | None
    limit: float
    passed: bool
    detail: str
    numbers: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Returns the entry of `report.json`."""
        return dataclasses.asdict(self)


def verdict(checks: Iterable[Check]) -> bool:
    """Returns whether all checks passed; False if there are none."""
    outcomes = [check.passed for check in checks]
    return bool(outcomes) and all(outcomes)


def exact(
    name: str,
    a: str,
    b: str,
    weights_a: Mapping[str, np.ndarray],
    weights_b: Mapping[str, np.ndarray],
    *,
    initial: Mapping[str, np.ndarray] | None = None,
    rtol: float = 1e-3,
    atol: float = 1e-7,
) -> Check:
    """Compares all weights after the same steps on the same examples.

    The statistic is the largest, over the variables, of `max|a - b| / (scale + atol / rtol)`, so
    that a variable passes if `max|a - b| <= rtol * scale + atol`. The scale of a variable is how
    far training moved it in the reference, `max|b - initial|`: measured against the weights
    themselves, a short training with a wrong learning rate would look like the right one. Without
    `initial` the scale is `max|b|`. Integer variables, such as the global step, must be equal.

    Args:
      name: What is compared.
      a: The way on trial.
      b: The reference.
      weights_a: Variables of `a` by name, any shape, numeric dtype.
      weights_b: Variables of `b` by name; the same names and shapes pass.
      initial: The weights that both began with, under the names of `weights_b`.
      rtol: The limit of the statistic.
      atol: The absolute deviation that is always allowed: what float32 rounding leaves on weights
        of order one.

    Returns:
      A check of the exact tier.

    Raises:
      ValueError: `initial` lacks a variable of `weights_b` or has it in another shape.
    """
    checked = (name, EXACT, a, b)
    reason = _structure(a, b, weights_a, weights_b) or _not_finite(a, b, weights_a, weights_b)
    reason = reason or _unequal_integers(weights_a, weights_b)
    if reason:
        return Check(*checked, None, rtol, False, reason)
    floor = atol / rtol
    scales = {
        key: _scale(key, value, initial)
        for key, value in weights_b.items()
        if not _is_integer(value)
    }
    # What the check would say of a variable that training left alone: it must be able to fail.
    still = [key for key, scale in scales.items() if scale / (scale + floor) <= rtol]
    if len(still) == len(scales):
        why = f"{b} has not moved from its initial weights, so no error could show"
        return Check(*checked, None, rtol, False, why)
    deviations = {key: _farthest(weights_a[key], weights_b[key]) for key in scales}
    ratios = {key: deviations[key] / (scale + floor) for key, scale in scales.items()}
    worst = max(ratios, key=ratios.__getitem__)
    measure = "its largest movement" if initial is not None else "its largest value"
    detail = (
        f"{len(weights_b)} variables; the worst is {worst}: it deviates by at most "
        f"{deviations[worst]:.2g}, {measure} is {scales[worst]:.2g}."
    )
    if still:
        detail += f" Too still to be tested: {_some(still)}."
    numbers = {"deviation": deviations[worst], "scale": scales[worst]}
    return Check(*checked, ratios[worst], rtol, ratios[worst] <= rtol, detail, numbers)


def _structure(a: str, b: str, weights_a: Mapping, weights_b: Mapping) -> str:
    """Returns how names and shapes differ; "" if they do not."""
    if not weights_b:
        return f"{b} has no variables"
    parts = []
    for way, keys in (
        (a, sorted(set(weights_a) - set(weights_b))),
        (b, sorted(set(weights_b) - set(weights_a))),
    ):
        if keys:
            parts.append(f"only {way} has {_some(keys)}")
    for key in sorted(set(weights_a) & set(weights_b)):
        shapes = np.shape(weights_a[key]), np.shape(weights_b[key])
        if shapes[0] != shapes[1]:
            parts.append(f"{key} is {shapes[0]} in {a} and {shapes[1]} in {b}")
    return "; ".join(parts)


def _not_finite(a: str, b: str, weights_a: Mapping, weights_b: Mapping) -> str:
    parts = []
    for way, weights in ((a, weights_a), (b, weights_b)):
        bad = [key for key, w in weights.items() if not np.all(np.isfinite(np.asarray(w, float)))]
        if bad:
            parts.append(f"{way} has NaN or infinity in {_some(bad)}")
    return "; ".join(parts)


def _is_integer(value: np.ndarray) -> bool:
    return np.asarray(value).dtype.kind in "biu"


def _unequal_integers(weights_a: Mapping, weights_b: Mapping) -> str:
    integers = [key for key, value in weights_b.items() if _is_integer(value)]
    bad = [key for key in integers if not np.array_equal(weights_a[key], weights_b[key])]
    return f"integers must be equal, and these are not: {_some(bad)}" if bad else ""


def _farthest(value_a: np.ndarray, value_b: np.ndarray) -> float:
    moved = np.asarray(value_a, np.float64) - np.asarray(value_b, np.float64)
    return float(np.max(np.abs(moved), initial=0.0))


def _scale(key: str, value: np.ndarray, initial: Mapping[str, np.ndarray] | None) -> float:
    if initial is None:
        return _farthest(value, np.zeros(()))
    if key not in initial or np.shape(initial[key]) != np.shape(value):
        raise ValueError(
            f"initial weights: {key} of shape {np.shape(value)} is not among them; give the "
            "weights of the reference from before its first step"
        )
    return _farthest(value, initial[key])


def _some(keys: Sequence[str], shown: int = 5) -> str:
    more = f" and {len(keys) - shown} more" if len(keys) > shown else ""
    return ", ".join(keys[:shown]) + more


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
    if farthest:
        detail += (
            f"Farthest outside: run {run + 1}, {abs(farthest):.3g} "
            f"{'above' if farthest > 0 else 'below'} it, from {cuts[run][place]:.0f} to "
            f"{cuts[run][place + 1]:.0f} examples."
        )
    else:
        detail += "No run leaves it."
    everywhere = np.concatenate(left)
    numbers = {
        "drop": drop,
        "scatter": scatter,
        "fraction_outside": float(np.mean(everywhere != 0)),
    }
    statistic = abs(farthest) / drop
    return Check(*checked, statistic, tolerance, statistic <= tolerance, detail, numbers)


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
