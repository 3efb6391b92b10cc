"""Measures the error rates of whole verdicts, drawn many times from a pool of recorded runs.

    python -m benchmarks.rates --trials=2000

Prints two tables for the setting of `make compare`: the outcomes if the ways are equal, and the
detection of each planted defect by each tier.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import rich.box
import rich.console
import rich.table
from absl import flags

from benchmarks import pool as pools
from benchmarks.judging import verdicts
from benchmarks.judging.margins import OF_JOB, Margins
from migrate import equivalence
from migrate.equivalence import sequential
from modern.process import cli

FLAGS = flags.FLAGS


@dataclasses.dataclass(frozen=True)
class Rates:
    """The outcomes of verdicts that were drawn from a pool.

    Attributes:
      trials: Number of verdicts.
      seeds: Number of seeds in the pool.
      outcomes: Fraction of the verdicts with each outcome.
      tiers: Fraction of the verdicts in which a check of the tier shows a difference before no more
        seeds are added.
      mean_seeds: Mean number of seeds that a verdict took.
    """

    trials: int
    seeds: int
    outcomes: Mapping[str, float]
    tiers: Mapping[str, float]
    mean_seeds: float


def of_equal_ways(
    pool: pools.Pool,
    plan: sequential.Plan,
    margins: Margins,
    names: Sequence[str],
    trials: int,
) -> Rates:
    """Returns the rates of verdicts on ways without a defect.

    Args:
      pool: The recorded runs.
      plan: The looks of the comparison.
      margins: The margins of the comparison.
      names: The ways that are compared.
      trials: Number of verdicts to draw.
    """
    return _draw({way: pool.equal[way] for way in names}, plan, margins, trials, 0.0)


def of_defect(
    pool: pools.Pool,
    defect: str,
    way: str,
    plan: sequential.Plan,
    margins: Margins,
    trials: int,
) -> Rates:
    """Returns the rates of verdicts on ways, one of which has a defect.

    Args:
      pool: The recorded runs.
      defect: Name of the defect.
      way: The way that has it.
      plan: The looks of the comparison.
      margins: The margins of the comparison.
      trials: Number of verdicts to draw.
    """
    record = pool.defects[defect][way]
    runs = {name: record["runs"] if name == way else pool.equal[name] for name in pool.equal}
    return _draw(runs, plan, margins, trials, max(record["exact"].values(), default=0.0))


def _draw(
    runs: Mapping[str, Sequence[pools.Run]],
    plan: sequential.Plan,
    margins: Margins,
    trials: int,
    shown_exactly: float,
) -> Rates:
    """Draws verdicts, each from a random selection of the seeds in a random order.

    `shown_exactly` is the probability that the exact tier shows a difference.
    """
    by_seed = {way: {run["seed"]: run for run in of_way} for way, of_way in runs.items()}
    seeds = sorted(set.intersection(*(set(of_way) for of_way in by_seed.values())))
    # A fixed seed makes the rates reproducible.
    random = np.random.default_rng(0)
    outcomes: Counter[str] = Counter()
    tiers: Counter[str] = Counter()
    seeds_used = 0
    for _ in range(trials):
        order = random.permutation(seeds)[: plan.looks[-1]]
        sampled = verdicts.SampledChecks(plan, margins)
        for look in plan.looks:
            of_look = {way: [of_way[s] for s in order[:look]] for way, of_way in by_seed.items()}
            sampled.look([of_look], look)
            if sampled.decided:
                break
        seeds_used += look
        different = {c.tier for c in sampled.checks if c.outcome == equivalence.DIFFERENT}
        if random.random() < shown_exactly:
            different.add(equivalence.EXACT)
        tiers.update(different)
        outcome = equivalence.DIFFERENT if different else equivalence.verdict(sampled.checks)
        outcomes[outcome] += 1
    return Rates(
        trials,
        len(seeds),
        {outcome: outcomes[outcome] / trials for outcome in equivalence.OUTCOMES},
        {tier: tiers[tier] / trials for tier in equivalence.TIERS},
        seeds_used / trials,
    )


def sentence(rates: Rates | None) -> str:
    """Returns the error rates of a setting in a sentence, for a report."""
    if rates is None:
        return (
            "The error rates of this setting are not known: no runs of it are recorded "
            "(docs/compare.md has those of make compare)."
        )
    shares = ", ".join(f"{100 * share:.1f} % {name}" for name, share in rates.outcomes.items())
    return (
        f"Error rates of this setting: with equal ways, {rates.trials} verdicts drawn from "
        f"{rates.seeds} recorded seeds are {shares}."
    )


def define_flags() -> None:
    """Defines the flags."""
    flags.DEFINE_string("pool", str(pools.FOLDER / "mnist_cnn.json.gz"), "The recorded runs.")
    flags.DEFINE_integer("trials", 1000, "Verdicts to draw on equal ways.", lower_bound=1)
    flags.DEFINE_integer("defect_trials", 200, "Verdicts to draw on each defect.", lower_bound=1)
    flags.DEFINE_integer("seeds", 4, "As in benchmarks.compare.", lower_bound=2)
    flags.DEFINE_integer("max_seeds", 10, "As in benchmarks.compare.", lower_bound=2)


def main(argv: list[str]) -> int:
    """Prints the tables. Returns the exit code."""
    del argv
    path = pathlib.Path(FLAGS.pool)
    if not path.is_file():
        raise cli.UsageError(f"--pool={FLAGS.pool} is not a file: record it, or name another.")
    pool = pools.read(path)
    plan = sequential.Plan.geometric(FLAGS.seeds, FLAGS.max_seeds)
    margins = OF_JOB[pool.setting["job"]]
    console = rich.console.Console(width=100)  # In a pipe it is 80, too narrow for the table.
    equal = of_equal_ways(pool, plan, margins, list(pool.equal), FLAGS.trials)
    table = rich.table.Table("ways", "seeds", *equivalence.OUTCOMES, box=rich.box.MARKDOWN)
    table.add_row("equal", f"{equal.mean_seeds:.1f}", *_percents(equal.outcomes))
    console.print(table)
    table = rich.table.Table("defect", "way", *equivalence.TIERS, "verdict", box=rich.box.MARKDOWN)
    for defect, ways in pool.defects.items():
        for way in ways:
            rates = of_defect(pool, defect, way, plan, margins, FLAGS.defect_trials)
            verdict = {"verdict": rates.outcomes[equivalence.DIFFERENT]}
            table.add_row(defect, way, *_percents({**rates.tiers, **verdict}))
    console.print(table)
    return 0


def _percents(shares: Mapping[str, Any]) -> list[str]:
    return [f"{100 * share:.1f} %" for share in shares.values()]


if __name__ == "__main__":
    define_flags()
    cli.run(main)
