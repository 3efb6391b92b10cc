"""The trajectory tier: the loss curves stay within an envelope around the reference's.

    from migrate import equivalence

    check = equivalence.trajectory("loss", "legacy", "single", {1: curve}, {1: reference},
    margin=0.05)

It detects another course to a similar end, such as a wrong learning rate.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from migrate.equivalence import differences
from migrate.equivalence.check import DIFFERENT, EQUIVALENT, INCONCLUSIVE, TRAJECTORY, Check
from migrate.equivalence.sequential import Levels
from migrate.equivalence.tost import difference_check, why_unpaired

Curve = Sequence[tuple[float, float]]
# A stretch must hold several points of a curve, because the position of a point is random. The
# shortest training that is compared has 300 steps, and ParameterServerStrategy counts every ten
# steps. That gives five points per stretch.
STRETCHES = 6
_SHARED_RANGE = 0.8  # Fraction of the longest run's examples that all runs must share.


def trajectory(
    name: str,
    a: str,
    b: str,
    curves_a: Mapping[int, Curve],
    curves_b: Mapping[int, Curve],
    margin: float,
    levels: Levels | None = None,
    stretches: int = STRETCHES,
) -> Check:
    """Tests whether the mean loss curve of `a` stays within an envelope around that of `b`.

    The training is cut into stretches of the same number of examples. In each, the difference of
    the mean losses of `a` and `b` is tested as in `tost_paired`. The runs of one seed see nearly
    the same batches, so the noise of single batches cancels. The check is equivalent if every
    stretch is, and different if the interval of any stretch lies outside the envelope. The
    stretches share the error of the latter.

    A point of a curve is the mean loss of a piece of the training. A run is cut at the ends of its
    own pieces that are nearest to the ends of the stretches, and the reference's run of the seed is
    cut at the same places. So a run that was sampled rarely while the loss fell fast is compared
    with equally wide means.

    Args:
      name: Name of the compared curve.
      a: The way under test.
      b: The reference.
      curves_a: Curve by seed, of at least two points: (examples seen by all trainers at the end of
        a piece, mean loss since the point before it, the first since 0). In any order.
      curves_b: The same for the reference, with the same seeds.
      margin: Half the height of the envelope, in units of the loss.
      levels: As for `tost`.
      stretches: Number of stretches.

    Returns:
      A check of the trajectory tier, for the stretch whose interval reaches farthest from the
      reference. It is inconclusive if the reference's loss does not fall by more than twice the
      margin, so that a run that never learned would pass, or if a run has too few points.
    """
    header = (name, TRAJECTORY, a, b)
    reason = why_unpaired(a, b, curves_a, curves_b)
    reason = reason or _too_short(a, curves_a) or _too_short(b, curves_b)
    if reason:
        return Check(*header, None, margin, INCONCLUSIVE, reason)
    count_a, count_b = _count_not_finite(curves_a), _count_not_finite(curves_b)
    if count_a or count_b:
        detail = f"The loss of {count_a} runs of {a} and {count_b} of {b} is not finite throughout."
        outcome = INCONCLUSIVE if count_b else DIFFERENT
        return Check(*header, None, margin, outcome, detail)
    lasts = [max(x for x, _ in c) for c in (*curves_a.values(), *curves_b.values())]
    shared_end, longest_end = min(lasts), max(lasts)
    if shared_end < _SHARED_RANGE * longest_end:
        detail = f"The runs share {max(shared_end, 0):.0f} of {longest_end:.0f} examples only."
        return Check(*header, None, margin, INCONCLUSIVE, detail)
    ends = np.linspace(0, shared_end, stretches + 1)
    seeds = sorted(curves_a)
    pairs = [_means_of_pair(curves_a[seed], curves_b[seed], ends) for seed in seeds]
    if any(pair is None for pair in pairs):
        seed = seeds[pairs.index(None)]
        detail = f"The run of {a} with seed {seed} has too few points for {stretches} stretches."
        return Check(*header, None, margin, INCONCLUSIVE, detail)
    of_a, of_b = (np.array(means) for means in zip(*pairs, strict=True))  # (seeds, stretches)
    drop = float(np.mean(of_b[:, 0] - of_b[:, -1]))
    if drop <= 2 * margin:
        detail = (
            f"The loss of {b} falls by {drop:.3g} in the mean, which is not clearly more than the "
            "margin: a run that never learned would pass."
        )
        return Check(*header, None, margin, INCONCLUSIVE, detail)
    levels = levels or Levels(0.05, 0.05)
    # Any stretch can claim a difference, so the stretches share its level (Bonferroni).
    shares = Levels(levels.equivalent, levels.different / stretches)
    tests = [
        difference_check(
            header,
            differences.paired(
                dict(zip(seeds, of_a[:, i], strict=True)),
                dict(zip(seeds, of_b[:, i], strict=True)),
            ),
            margin,
            shares,
        )
        for i in range(stretches)
    ]
    return _join(tests, ends, drop)


def _join(tests: Sequence[Check], ends: np.ndarray, drop: float) -> Check:
    """Returns the check of all stretches: the one that decides the outcome, and its place."""
    for outcome in (DIFFERENT, INCONCLUSIVE, EQUIVALENT):
        of_outcome = [i for i, test in enumerate(tests) if test.outcome == outcome]
        if of_outcome:
            break
    index = max(of_outcome, key=lambda i: _reach(tests[i]))
    test = tests[index]
    open_counts = [t.more_seeds for t in tests if t.outcome == INCONCLUSIVE]
    seed_counts = [seeds for seeds in open_counts if seeds is not None]
    more_seeds = None
    if outcome == INCONCLUSIVE and len(seed_counts) == len(open_counts):
        more_seeds = max(seed_counts)
    place = f"Examples {ends[index]:.0f} to {ends[index + 1]:.0f} of {ends[-1]:.0f}: "
    return Check(
        test.name,
        test.tier,
        test.a,
        test.b,
        test.statistic,
        test.limit,
        outcome,
        place + test.detail[0].lower() + test.detail[1:],
        {**test.numbers, "drop": drop},
        more_seeds,
    )


def _reach(test: Check) -> float:
    """Returns how far the interval of a stretch reaches."""
    assert test.statistic is not None  # `tested` computes it.
    return test.statistic


def _too_short(way: str, curves: Mapping[int, Curve]) -> str:
    """Returns the reason why curves cannot be compared, or ""."""
    for seed, curve in curves.items():
        if len({x for x, _ in curve}) < 2:
            return f"The loss curve of {way} with seed {seed} has fewer than two points."
    return ""


def _count_not_finite(curves: Mapping[int, Curve]) -> int:
    return sum(not np.all(np.isfinite(np.asarray(c, float))) for c in curves.values())


def _means_of_pair(
    curve_a: Curve, curve_b: Curve, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the mean losses of two runs by stretch, or None if `a` has too few points."""
    totals_a = _totals(curve_a)
    knots, _ = totals_a
    nearest = np.argmin(np.abs(knots[None, :] - ends[:, None]), axis=1)
    if len({*nearest.tolist()}) < len(ends):
        return None
    return _means(totals_a, knots[nearest]), _means(_totals(curve_b), knots[nearest])


def _totals(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    """Returns the ends of the pieces, from 0 on, and the sum of the loss up to each."""
    points = np.asarray(curve, np.float64)
    ends, where = np.unique(points[:, 0], return_inverse=True)
    means = np.bincount(where, points[:, 1]) / np.bincount(where)
    knots = np.concatenate([[0.0], ends])
    return knots, np.concatenate([[0.0], np.cumsum(np.diff(knots) * means)])


def _means(totals: tuple[np.ndarray, np.ndarray], edges: np.ndarray) -> np.ndarray:
    """Returns the mean loss between each two edges, shape [len(edges) - 1]."""
    return np.diff(np.interp(edges, *totals)) / np.diff(edges)
