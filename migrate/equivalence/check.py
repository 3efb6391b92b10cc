"""The outcome of one comparison, and the purpose of each tier of comparisons.

    from migrate.equivalence import check

    print(check.CATCHES[check.EXACT])

`check.verdict` combines the outcomes.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

EXACT = "exact"
STATISTICAL = "statistical"
TRAJECTORY = "trajectory"
TIERS = (EXACT, STATISTICAL, TRAJECTORY)

EQUIVALENT = "equivalent"
DIFFERENT = "different"
INCONCLUSIVE = "inconclusive"
OUTCOMES = (EQUIVALENT, DIFFERENT, INCONCLUSIVE)

CATCHES = {
    EXACT: (
        "An error in the arithmetic of one step: gradients summed where they should be averaged, a "
        "learning rate not scaled, an update lost, a variable dropped or renamed. Also an error in "
        "the data: two workers that read the same shard, labels shifted, examples left out."
    ),
    STATISTICAL: (
        "A result that is worse, or better, than the reference's by more than the margin, where "
        "asynchronous updates make every run different: lost updates, stale gradients that hurt, a "
        "wrong learning rate."
    ),
    TRAJECTORY: (
        "Another course to a similar end: training that is faster or slower per example than the "
        "reference, as with a wrong learning rate or summed gradients, a restart, or a divergence."
    ),
}


@dataclasses.dataclass(frozen=True)
class Check:
    """A comparison and its outcome.

    Attributes:
      name: Name of the compared quantity, such as "evaluation loss".
      tier: One of `TIERS`.
      a: The way under test.
      b: The reference.
      statistic: The measured figure, in the unit of `limit`. None if it could not be computed.
      limit: The margin. An equivalent check has a statistic within it.
      outcome: One of `OUTCOMES`. `DIFFERENT` needs separate evidence: an interval outside the
        margin or a deviation of an exact figure. A check that shows neither is `INCONCLUSIVE`.
      detail: One to three sentences with the finding, or the reason why the check is inconclusive.
      numbers: Further figures, such as the ends of a confidence interval.
      more_seeds: For an inconclusive check, the number of further seeds that would decide it if
        their mean and their spread stay as they are. None if more seeds do not help.
    """

    name: str
    tier: str
    a: str
    b: str
    statistic: float | None
    limit: float
    outcome: str
    detail: str
    numbers: Mapping[str, float] = dataclasses.field(default_factory=dict)
    more_seeds: int | None = None

    @property
    def passed(self) -> bool:
        """True if the check shows equivalence."""
        return self.outcome == EQUIVALENT

    @property
    def decided(self) -> bool:
        """False if the check is inconclusive."""
        return self.outcome != INCONCLUSIVE

    def to_dict(self) -> dict[str, Any]:
        """Returns the entry of `report.json`."""
        return dataclasses.asdict(self)


def within(holds: bool) -> str:
    """Returns the outcome of a deterministic check: `EQUIVALENT` if it holds."""
    return EQUIVALENT if holds else DIFFERENT


def verdict(checks: Iterable[Check]) -> str:
    """Returns the outcome of all checks together.

    Returns:
      `DIFFERENT` if any check is different, `EQUIVALENT` if all are equivalent and at least one was
      made, else `INCONCLUSIVE`.
    """
    outcomes = {check.outcome for check in checks}
    if DIFFERENT in outcomes:
        return DIFFERENT
    return EQUIVALENT if outcomes == {EQUIVALENT} else INCONCLUSIVE
