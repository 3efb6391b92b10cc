"""The difference of two means, its confidence interval, and the three outcomes of a test on it.

    from migrate.equivalence import differences

    difference = differences.paired({1: 0.31, 2: 0.33, 3: 0.30}, {1: 0.32, 2: 0.33, 3: 0.31})
    low, high = difference.interval(alpha=0.05)

`tost` and `trajectory` build their checks on it.
"""

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence

import numpy as np
import scipy.stats

from migrate.equivalence.check import DIFFERENT, EQUIVALENT, INCONCLUSIVE
from migrate.equivalence.sequential import Levels

_MOST_SEEDS = 10_000  # `seeds_to_decide` gives up beyond this.


@dataclasses.dataclass(frozen=True)
class Difference:
    """The estimated difference of two means, `a - b`, with its standard error.

    Attributes:
      mean: The estimate.
      error: Its standard error, in the same unit.
      freedom: Degrees of freedom of the standard error. Infinite if the error is 0.
      runs: The number of runs of the estimate, in words.
    """

    mean: float
    error: float
    freedom: float
    runs: str

    def interval(self, alpha: float) -> tuple[float, float]:
        """Returns the two-sided confidence interval of level `1 - 2 * alpha`."""
        reach = self._critical(alpha) * self.error if self.error else 0.0
        return self.mean - reach, self.mean + reach

    def outcome(self, margin: float, levels: Levels) -> str:
        """Returns the outcome of the test against a margin.

        - `EQUIVALENT`: The interval at the level for equivalence lies within the margin. This is
          the TOST of Schuirmann (1987).
        - `DIFFERENT`: The interval at the level for differences lies outside of the margin, on one
          side.
        - `INCONCLUSIVE`: Neither.
        """
        low, high = self.interval(levels.equivalent)
        if max(abs(low), abs(high)) <= margin:
            return EQUIVALENT
        low, high = self.interval(levels.different)
        return DIFFERENT if low > margin or high < -margin else INCONCLUSIVE

    def _critical(self, alpha: float) -> float:
        return _quantile(1 - alpha, self.freedom)


@functools.lru_cache(maxsize=4096)
def _quantile(probability: float, freedom: float) -> float:
    """Returns a quantile of the t distribution. Cached: `benchmarks.rates` repeats a few."""
    return float(scipy.stats.t.ppf(probability, freedom))


def welch(samples_a: Sequence[float], samples_b: Sequence[float]) -> Difference:
    """Returns the difference of two independent means, with unequal variances (Welch 1947).

    Args:
      samples_a: One figure per run, at least two.
      samples_b: The same for the reference. The numbers of runs may differ.
    """
    means = [float(np.mean(s)) for s in (samples_a, samples_b)]
    parts = [float(np.var(s, ddof=1)) / len(s) for s in (samples_a, samples_b)]
    total = sum(parts)
    sizes = (len(samples_a), len(samples_b))
    # Degrees of freedom by the Welch-Satterthwaite equation.
    denominator = sum(
        (p / total) ** 2 / (n - 1) for p, n in zip(parts, sizes, strict=True) if total
    )
    freedom = 1 / denominator if denominator else math.inf
    runs = f"{sizes[0]} and {sizes[1]} runs"
    return Difference(means[0] - means[1], math.sqrt(total), freedom, runs)


def paired(samples_a: Mapping[int, float], samples_b: Mapping[int, float]) -> Difference:
    """Returns the mean difference over runs that share a seed.

    Args:
      samples_a: One figure per seed, at least two seeds.
      samples_b: The same for the reference, with the same seeds.
    """
    deltas = [samples_a[seed] - samples_b[seed] for seed in sorted(samples_a)]
    error = float(np.std(deltas, ddof=1)) / math.sqrt(len(deltas))
    freedom = len(deltas) - 1.0 if error else math.inf
    return Difference(float(np.mean(deltas)), error, freedom, f"{len(deltas)} seeds, paired")


def seeds_to_decide(difference: Difference, margin: float, levels: Levels) -> int | None:
    """Returns the number of further seeds that would decide an inconclusive test.

    Assumes that the mean and the spread of a `paired` difference stay as they are, and that later
    looks have the levels of the last one.

    Returns:
      The number of seeds. None if `_MOST_SEEDS` would not suffice, for example if the mean lies on
      the margin.
    """
    seeds = round(difference.freedom) + 1
    spread = difference.error * math.sqrt(seeds)

    def decides(count: int) -> bool:
        projected = Difference(difference.mean, spread / math.sqrt(count), count - 1.0, "")
        return projected.outcome(margin, levels) != INCONCLUSIVE

    if not decides(_MOST_SEEDS):
        return None
    low, high = seeds, _MOST_SEEDS
    while high - low > 1:  # The interval shrinks with each seed, so bisection finds the first.
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high - seeds
