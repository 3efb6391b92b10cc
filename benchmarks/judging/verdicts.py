"""Decides the verdict of a comparison, check by check, as the seeds arrive.

`benchmarks.comparison` feeds it with new runs, `benchmarks.rates` with runs from a recorded pool.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.judging import checks
from benchmarks.judging.margins import Margins
from migrate import equivalence
from migrate.equivalence import Check, sequential


class SampledChecks:
    """The checks of the statistical and of the trajectory tier.

    A check that has decided keeps its outcome. The plan accounts for the number of looks.

    Args:
      plan: The numbers of seeds at which the checks are made.
      margins: The margins of the job.
    """

    def __init__(self, plan: sequential.Plan, margins: Margins) -> None:
        self._plan, self._margins = plan, margins
        self._has_looked = False
        self._checks: dict[str, Check] = {}

    @property
    def checks(self) -> list[Check]:
        """The current checks, in a fixed order."""
        return list(self._checks.values())

    @property
    def decided(self) -> bool:
        """True if more seeds cannot change the verdict."""
        outcome = equivalence.verdict(self.checks)
        all_decided = all(check.decided for check in self.checks)
        return self._has_looked and (all_decided or outcome == equivalence.DIFFERENT)

    def look(self, groups: Sequence[checks.Results], seeds: int) -> None:
        """Makes the checks that have not decided, if the plan has a look at this number of seeds.

        Args:
          groups: Groups of ways that are compared with each other. Each holds the results so far,
            by way.
          seeds: Number of seeds that every way has trained.
        """
        if seeds not in self._plan.looks:
            return
        self._has_looked = True
        count = sum(map(checks.count_sampled, groups))
        if not count:
            return
        levels = self._plan.levels(seeds, count)
        for results in groups:
            for check in checks.sampled(results, self._margins, levels):
                previous = self._checks.get(check.name)
                if previous is None or not previous.decided:
                    self._checks[check.name] = check
