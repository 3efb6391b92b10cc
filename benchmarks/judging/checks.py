"""Checks that decide whether the ways are equivalent, in three tiers.

- exact: From the same weights, on the same examples in the same order, the weights after K steps
  agree. One trainer in each way is compared with a process without a cluster, and N synchronous
  trainers with one process that takes the global batch. Every trainer consumed its own share of the
  examples, and all of it.
- statistical: Over the seeds, the final evaluation loss and metrics of each way agree with
  `single`.
- trajectory: Over the seeds, the loss curve of each way agrees with that of `single`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.judging.margins import Margins
from benchmarks.ways import SINGLE, is_asynchronous
from migrate import equivalence
from migrate.equivalence import Check, sequential

Runs = Sequence[Mapping[str, Any]]
Results = Mapping[str, Runs]


@dataclasses.dataclass(frozen=True)
class ExactPair:
    """Two trainings whose weights must agree.

    Attributes:
      name: Name of the check.
      a: The training under test, in words.
      b: The reference, in words.
      weights_a: Final weights of `a` by name.
      weights_b: Final weights of `b` by name.
    """

    name: str
    a: str
    b: str
    weights_a: Mapping[str, np.ndarray]
    weights_b: Mapping[str, np.ndarray]


def exact(
    pairs: Sequence[ExactPair], initial: Mapping[str, np.ndarray], margins: Margins
) -> list[Check]:
    """Returns the checks of weights.

    Args:
      pairs: Trainings whose weights must agree.
      initial: Initial weights of all of them.
      margins: The margins of the job.
    """
    return [
        equivalence.exact(
            pair.name,
            pair.a,
            pair.b,
            pair.weights_a,
            pair.weights_b,
            initial=initial,
            rtol=margins.exact,
        )
        for pair in pairs
    ]


def count_sampled(results: Results) -> int:
    """Returns the number of checks that `sampled` makes."""
    return len(_metrics(results)) * len(_pairs(results)) + len(results) - 1


def sampled(results: Results, margins: Margins, levels: sequential.Levels) -> list[Check]:
    """Returns the checks of the statistical and of the trajectory tier.

    Args:
      results: Results of each run, by way. All ways have the same seeds.
      margins: The margins of the job.
      levels: Levels of the tests at this look.
    """
    return [*_statistical(results, margins, levels), *_trajectories(results, margins, levels)]


def _pairs(results: Results) -> list[tuple[str, str]]:
    """Returns the pairs to compare: each way with `single`, and the asynchronous ones."""
    pairs = [(way, SINGLE) for way in results if way != SINGLE]
    if "legacy" in results and "parameter_server" in results:
        pairs.append(("parameter_server", "legacy"))
    return pairs


def _metrics(results: Results) -> list[str]:
    return sorted(results[SINGLE][0]["eval"])


def _statistical(results: Results, margins: Margins, levels: sequential.Levels) -> list[Check]:
    checks = []
    for metric in _metrics(results):
        figures = {
            way: {run["seed"]: _finite(run["eval"][metric]) for run in runs}
            for way, runs in results.items()
        }
        margin = margins.loss if metric == "loss" else margins.metric
        checks += [
            equivalence.tost_paired(
                f"eval {metric}: {a} ~ {b}", a, b, figures[a], figures[b], margin, levels
            )
            for a, b in _pairs(results)
        ]
    return checks


def _trajectories(results: Results, margins: Margins, levels: sequential.Levels) -> list[Check]:
    curves = {
        way: {run["seed"]: [(x, _finite(y)) for x, y in run["loss_curve"]] for run in runs}
        for way, runs in results.items()
    }
    return [
        equivalence.trajectory(
            f"loss curve: {way}", way, SINGLE, curves[way], curves[SINGLE], margins.curve, levels
        )
        for way in results
        if way != SINGLE
    ]


def _finite(value: float | None) -> float:
    """Returns a figure of result.json, in which null stands for NaN."""
    return math.nan if value is None else value


def consumed(results: Results, planned: Mapping[str, int], slack: int) -> list[Check]:
    """Checks that each run consumed the planned number of examples, as its trainers counted them.

    Args:
      results: Results of each run, by way.
      planned: Examples per training, by way.
      slack: Examples by which an asynchronous way may exceed the plan: the batches that the other
        trainers have begun at the last step.
    """
    checks = []
    for way, runs in results.items():
        excesses = [sum(run["examples"].values()) - planned[way] for run in runs]
        limit = slack if is_asynchronous(way) else 0
        # Missing examples are worse than additional ones.
        worst = max(excesses, key=lambda examples: (examples < 0, abs(examples)))
        checks.append(
            Check(
                f"examples consumed: {way}",
                equivalence.EXACT,
                way,
                "the plan",
                float(abs(worst)),
                float(limit),
                equivalence.within(all(0 <= examples <= limit for examples in excesses)),
                f"{planned[way]:,} planned per training. The farthest run consumed "
                f"{planned[way] + worst:,}, counted by its trainers.",
            )
        )
    return checks


def shares(
    results: Results, expected: Callable[[Mapping[str, Any]], Mapping[str, float]], limit: float
) -> list[Check]:
    """Checks that each trainer consumed its own share of the examples.

    A trainer adds up the digests of its batches. Another share, another label or a missing example
    changes the sum.

    Args:
      results: Results of each run, by way.
      expected: Returns for a run, by trainer, the digest of that many examples of its share.
      limit: Largest relative difference of two digests of the same examples.
    """
    checks = []
    for way, runs in results.items():
        deviations = {}
        for run in runs:
            for trainer, digest in expected(run).items():
                deviation = abs(run["digests"][trainer] - digest) / max(abs(digest), 1e-12)
                deviations[f"{trainer} in the run of seed {run['seed']}"] = deviation
        worst = max(deviations, key=deviations.__getitem__)
        # `not <=` instead of `>`, so that NaN counts as a difference.
        outliers = [name for name, deviation in deviations.items() if not deviation <= limit]
        detail = f"{len(deviations)} shares of {len(runs)} runs. "
        detail += (
            f"{len(outliers)} differ, the farthest is {worst}."
            if outliers
            else "Every trainer consumed the examples and labels of its own share."
        )
        checks.append(
            Check(
                f"examples of each trainer: {way}",
                equivalence.EXACT,
                way,
                "the input function",
                deviations[worst],
                limit,
                equivalence.within(not outliers),
                detail,
            )
        )
    return checks
