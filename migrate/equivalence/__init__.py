"""Tests whether two ways of training reach the same result, in three tiers of checks.

Every check compares `a`, the way under test, with `b`, the reference. Its outcome is "equivalent",
"different" or "inconclusive". It is equivalent only if it could have been different on the same
data. With weights that never moved, a loss that never fell or a single seed it is inconclusive, and
`detail` gives the reason. It is different only with evidence for a difference. A check that does
not show equivalence does not show a difference either.

    from migrate import equivalence

    checks = [
        equivalence.exact("weights after 50 steps", "legacy", "single", w_legacy, w_single,
                          initial=w_0),
        equivalence.tost_paired("evaluation loss", "legacy", "single", {1: 0.31, 2: 0.33, 3: 0.30},
                                {1: 0.32, 2: 0.33, 3: 0.31}, margin=0.05),
        equivalence.trajectory("training loss", "legacy", "single", curves_legacy, curves_single,
                               margin=0.1),
    ]
    if equivalence.verdict(checks) != equivalence.EQUIVALENT:
        print([check.detail for check in checks if not check.passed])

Files in reading order:
check        defines the outcome of a check and the verdict of all checks
exact        compares weights after the same steps on the same examples
sequential   plans the numbers of seeds at which the checks are made
differences  tests the difference of two means against a margin
tost         tests the figures of several runs
trajectory   tests loss curves against an envelope around the reference's
"""

from migrate.equivalence.check import (
    CATCHES,
    DIFFERENT,
    EQUIVALENT,
    EXACT,
    INCONCLUSIVE,
    OUTCOMES,
    STATISTICAL,
    TIERS,
    TRAJECTORY,
    Check,
    verdict,
    within,
)
from migrate.equivalence.exact import exact
from migrate.equivalence.tost import tost, tost_paired
from migrate.equivalence.trajectory import trajectory

__all__ = [
    "CATCHES",
    "DIFFERENT",
    "EQUIVALENT",
    "EXACT",
    "INCONCLUSIVE",
    "OUTCOMES",
    "STATISTICAL",
    "TIERS",
    "TRAJECTORY",
    "Check",
    "exact",
    "tost",
    "tost_paired",
    "trajectory",
    "verdict",
    "within",
]
