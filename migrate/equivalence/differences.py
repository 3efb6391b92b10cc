"""The difference of two means, how sure it is, and what a test of equivalence on it can tell.

from migrate.equivalence import differences

found = differences.paired({1: 0.31, 2: 0.33, 3: 0.30}, {1: 0.32, 2: 0.33, 3: 0.31})
low, high = found.interval(alpha=0.05)
print(found.mean, low, high, found.detectable(margin=0.05, alpha=0.05))
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np
import scipy.optimize
import scipy.special
import scipy.stats

TOLD_WITH = 0.8  # the probability by which `detectable` is defined: the customary power of a test


@dataclasses.dataclass(frozen=True)
class Difference:
    """The estimated difference of two means, `a - b`, with its standard error.

    Attributes:
      mean: The estimate.
      error: Its standard error, in the same unit.
      freedom: Degrees of freedom of the standard error; infinite if it is 0.
      runs: How many runs stand behind it, in words.
    """

    mean: float
    error: float
    freedom: float
    runs: str

    def interval(self, alpha: float) -> tuple[float, float]:
        """Returns the two-sided confidence interval of level `1 - 2 * alpha`."""
        reach = self._critical(alpha) * self.error if self.error else 0.0
        return self.mean - reach, self.mean + reach

    def p_value(self, margin: float) -> float:
        """Returns the larger p-value of the two one-sided tests against `-margin` and `margin`."""
        distance = margin - abs(self.mean)
        if not self.error:
            return 0.0 if distance >= 0 else 1.0
        return float(scipy.stats.t.sf(distance / self.error, self.freedom))

    def pass_probability(self, true: float, margin: float, alpha: float) -> float:
        """Returns how probably the test passes if the difference really is `true`.

        Takes the standard error for the true one. The estimate is then normal and the square of its
        measured error chi-squared; the expectation over the latter is a mean over its quantiles.
        """
        if not self.error:
            return float(abs(true) <= margin)
        quantiles = (np.arange(500) + 0.5) / 500
        ratio = np.sqrt(scipy.stats.chi2.ppf(quantiles, self.freedom) / self.freedom)
        reach = self._critical(alpha) * ratio
        upper = scipy.special.ndtr((margin - true) / self.error - reach)
        lower = scipy.special.ndtr((-margin - true) / self.error + reach)
        return float(np.mean(np.maximum(upper - lower, 0.0)))

    def detectable(self, margin: float, alpha: float) -> float:
        """Returns the smallest true difference told "not equivalent" with 80 % probability."""
        if not self.error:
            return margin

        def excess(true: float) -> float:
            return self.pass_probability(true, margin, alpha) - (1 - TOLD_WITH)

        return 0.0 if excess(0.0) <= 0 else float(scipy.optimize.brentq(excess, 0.0, margin))

    def _critical(self, alpha: float) -> float:
        return float(scipy.stats.t.ppf(1 - alpha, self.freedom))


def welch(samples_a: Sequence[float], samples_b: Sequence[float]) -> Difference:
    """Returns the difference of two independent means, with unequal variances (Welch 1947).

    Args:
      samples_a: One figure per run, at least two.
      samples_b: The same for the reference; the numbers of runs may differ.
    """
    means = [float(np.mean(s)) for s in (samples_a, samples_b)]
    parts = [float(np.var(s, ddof=1)) / len(s) for s in (samples_a, samples_b)]
    total = sum(parts)
    sizes = (len(samples_a), len(samples_b))
    below = sum((p / total) ** 2 / (n - 1) for p, n in zip(parts, sizes, strict=True) if total)
    freedom = 1 / below if below else math.inf
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
