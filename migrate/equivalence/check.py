"""What a comparison came to, and what each tier of comparisons is for.

from migrate.equivalence import check

print(check.CATCHES[check.EXACT])
"""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

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
