"""Which comparisons decide whether the ways are equivalent, in three tiers.

- exact: from the same weights, on the same examples in the same order, the weights after K steps
agree: one trainer in
  each way with a process that has no cluster, and N synchronous trainers with one process that
  takes the global batch.
- statistical: over the seeds, final evaluation loss and accuracy of each way against `single`, by
paired TOST. - trajectory: each run's loss curve within the envelope of `single`'s.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.ways import ASYNCHRONOUS, SINGLE
from migrate import equivalence
from migrate.equivalence import Check

Results = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclasses.dataclass(frozen=True)
class Limits:
    """What is tolerated; the meaning is that of the functions in `migrate.equivalence`.

    Attributes:
      exact: deviation of a weight as a part of how far training moved it.
      loss_margin: difference in evaluation loss, as a part of `single`'s drop in loss.
      accuracy_margin: difference in accuracy, or in AUC.
      trajectory: how far outside the envelope, as a part of the reference's drop in loss.
    """

    exact: float = 0.01
    loss_margin: float = 0.05
    accuracy_margin: float = 0.03
    trajectory: float = 0.15


@dataclasses.dataclass(frozen=True)
class ExactPair:
    """Two trainings whose weights must agree.

    Attributes:
      name: of the check.
      a, b: what is compared, in words; b is the reference.
      weights_a, weights_b: final weights by name.
    """

    name: str
    a: str
    b: str
    weights_a: Mapping[str, np.ndarray]
    weights_b: Mapping[str, np.ndarray]


def exact(
    pairs: Sequence[ExactPair], initial: Mapping[str, np.ndarray], limits: Limits
) -> list[Check]:
    """The exact tier; `initial` are the weights that all of them began with."""
    return [
        equivalence.exact(
            pair.name,
            pair.a,
            pair.b,
            pair.weights_a,
            pair.weights_b,
            initial=initial,
            rtol=limits.exact,
        )
        for pair in pairs
    ]


def statistical(results: Results, limits: Limits) -> list[Check]:
    """The statistical tier: every way against `single`, and the asynchronous ones together."""
    pairs = [(way, SINGLE) for way in results if way != SINGLE]
    if all(way in results for way in ASYNCHRONOUS):
        pairs.append(("parameter_server", "legacy"))
    checks = []
    for metric in sorted(results[SINGLE][0]["eval"]):
        margin = _margin(metric, results, limits)
        for a, b in pairs:
            samples = [_by_seed(results[way], metric) for way in (a, b)]
            checks.append(
                equivalence.tost_paired(f"eval {metric}: {a} ~ {b}", a, b, *samples, margin)
            )
    return checks


def _by_seed(runs: Sequence[Mapping[str, Any]], metric: str) -> dict[int, float]:
    """The mean over each seed's runs; NaN for a run that diverged."""
    values: dict[int, list[float]] = {}
    for run in runs:
        value = run["eval"][metric]
        values.setdefault(run["seed"], []).append(float("nan") if value is None else value)
    return {seed: float(np.mean(of_seed)) for seed, of_seed in values.items()}


def _margin(metric: str, results: Results, limits: Limits) -> float:
    """In units of the metric; a loss has no scale but how far training brought it down."""
    if metric in ("accuracy", "auc"):
        return limits.accuracy_margin
    drops = [run["loss_curve"][0][1] - run["loss_curve"][-1][1] for run in results[SINGLE]]
    return max(limits.loss_margin * float(np.mean(drops)), 1e-12)


def trajectories(results: Results, limits: Limits) -> list[Check]:
    """The trajectory tier: every way's loss curves against `single`'s."""
    curves = {way: [run["loss_curve"] for run in runs] for way, runs in results.items()}
    return [
        equivalence.trajectory(
            f"loss curve: {way}",
            way,
            SINGLE,
            curves[way],
            curves[SINGLE],
            tolerance=limits.trajectory,
        )
        for way in results
        if way != SINGLE
    ]


def consumed(results: Results, planned: Mapping[str, int], slack: int) -> list[Check]:
    """Whether each run consumed the planned number of examples, as its trainers counted them.

    Args:
      results: by way.
      planned: examples per training, by way.
      slack: examples by which an asynchronous way may go over: what the other trainers had begun.
    """
    checks = []
    for way, runs in results.items():
        off = [abs(sum(run["examples"].values()) - planned[way]) for run in runs]
        limit = slack if way in ASYNCHRONOUS else 0
        checks.append(
            Check(
                f"examples consumed: {way}",
                equivalence.EXACT,
                way,
                "the plan",
                float(max(off)),
                float(limit),
                max(off) <= limit,
                f"{planned[way]:,} planned per training; counted where they are consumed",
            )
        )
    return checks
