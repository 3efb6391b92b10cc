"""Sequential testing: seeds are added until a check has decided, and the error rates still hold.

A test at level 5 % that is repeated for every new seed errs far more often than in 5 % of cases. A
plan therefore fixes the numbers of seeds at which the checks are made, called looks, and gives each
look a part of the error:

>>> from migrate.equivalence import sequential
>>> plan = sequential.Plan.geometric(first=4, last=10)
>>> plan.looks
(4, 6, 9, 10)
>>> [round(plan.levels(seeds, checks=10).equivalent, 4) for seeds in plan.looks]
[0.0262, 0.0093, 0.0113, 0.0033]
"""

from __future__ import annotations

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Levels:
    """Levels of the one-sided tests of one check at one look.

    Attributes:
      equivalent: Probability to find equivalence if the difference is as large as the margin.
      different: Probability to find a difference if it is no larger than the margin.
    """

    equivalent: float
    different: float


@dataclasses.dataclass(frozen=True)
class Plan:
    """Numbers of seeds at which the checks are made, and the errors to spend on them.

    The spending function is that of Lan and DeMets (Biometrika 70, 1983) of Pocock's type: up to a
    fraction t of the seeds, `alpha * ln(1 + (e - 1) t)` is spent. A look is tested at the level
    that has been added since the look before it. By the inequality of Bonferroni, the sum of these
    levels bounds the error of the whole procedure, however the looks depend on each other, and also
    if it ends early because time has run out. (The boundaries by numerical integration, for which
    the function is better known, are a little wider and need a known variance.)

    Equivalence is claimed by all checks together (an intersection-union test, Berger 1982), so each
    of them may use the whole `alpha_equivalent`. A difference is claimed by any check, so they
    share `alpha_different`.

    Attributes:
      looks: Numbers of seeds, increasing, each 2 or more.
      alpha_equivalent: Probability that a check finds equivalence if the difference is as large as
        the margin.
      alpha_different: Probability that any check finds a difference if none is larger than its
        margin.
    """

    looks: tuple[int, ...]
    alpha_equivalent: float = 0.05
    alpha_different: float = 0.01

    def __post_init__(self) -> None:
        is_increasing = all(a < b for a, b in zip(self.looks, self.looks[1:], strict=False))
        if not self.looks or self.looks[0] < 2 or not is_increasing:
            raise ValueError(f"looks={self.looks}: must be increasing numbers of seeds from 2 on")

    @classmethod
    def geometric(cls, first: int, last: int) -> Plan:
        """Returns a plan in which each look has 1.5 times as many seeds as the one before it.

        Args:
          first: Seeds at the first look, 2 or more.
          last: Seeds at the last look, `first` or more.
        """
        looks = [first]
        while looks[-1] < last:
            looks.append(min(math.ceil(1.5 * looks[-1]), last))
        return cls(tuple(looks))

    def levels(self, seeds: int, checks: int = 1) -> Levels:
        """Returns the levels of one check at a look.

        Args:
          seeds: Number of seeds, one of `looks`.
          checks: Number of checks that share `alpha_different`.
        """
        index = self.looks.index(seeds)
        previous = self.looks[index - 1] if index else 0
        share = self._spent_fraction(seeds) - self._spent_fraction(previous)
        return Levels(share * self.alpha_equivalent, share * self.alpha_different / checks)

    def _spent_fraction(self, seeds: int) -> float:
        """Returns the fraction of the error that is spent up to a look."""
        return math.log1p((math.e - 1) * seeds / self.looks[-1])
