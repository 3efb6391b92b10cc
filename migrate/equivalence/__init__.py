"""Tells whether two ways of training reach the same result, in three tiers of checks.

Every check compares `a`, the way on trial, with `b`, the reference. It passes if its `statistic`
does not exceed its `limit`, and it cannot pass unless it could have failed on the same data:
weights that never moved, a loss that never fell, a single seed or a value that is not a number are
all reasons not to pass, and the reason stands in `detail`.

    from migrate import equivalence

    checks = [
        equivalence.exact("weights after 20 steps", "legacy", "single", w_legacy, w_single,
                          initial=w_0),
        equivalence.tost_paired("evaluation loss", "legacy", "single", {1: 0.31, 2: 0.33, 3: 0.30},
                                {1: 0.32, 2: 0.33, 3: 0.31}, margin=0.05),
        equivalence.trajectory("training loss", "legacy", "single", curves_legacy, curves_single),
    ]
    if not equivalence.verdict(checks):
        print([check.detail for check in checks if not check.passed])
"""

from migrate.equivalence.check import (
    CATCHES,
    EXACT,
    STATISTICAL,
    TIERS,
    TRAJECTORY,
    Check,
    verdict,
)
from migrate.equivalence.exact import exact
from migrate.equivalence.tost import tost, tost_paired
from migrate.equivalence.trajectory import trajectory

__all__ = [
    "CATCHES",
    "EXACT",
    "STATISTICAL",
    "TIERS",
    "TRAJECTORY",
    "Check",
    "exact",
    "tost",
    "tost_paired",
    "trajectory",
    "verdict",
]
