"""Tests for the plan of looks, and for the error rates of the whole procedure by simulation."""

import numpy as np
import pytest

from migrate import equivalence
from migrate.equivalence import differences, sequential

PLAN = sequential.Plan.geometric(first=4, last=20)
MARGIN, SPREAD = 1.0, 1.2


def procedure(deltas, plan=PLAN):
    """Returns the outcome of the whole procedure on differences, one per seed."""
    for look in plan.looks:
        found = differences.paired(dict(enumerate(deltas[:look])), dict.fromkeys(range(look), 0.0))
        outcome = found.outcome(MARGIN, plan.levels(look))
        if outcome != equivalence.INCONCLUSIVE:
            return outcome
    return equivalence.INCONCLUSIVE


def share(outcome, true, trials=1500):
    random = np.random.default_rng(3)
    runs = random.normal(true, SPREAD, (trials, PLAN.looks[-1]))
    return np.mean([procedure(deltas) == outcome for deltas in runs])


def test_looks_grow_by_half_up_to_the_last():
    assert PLAN.looks == (4, 6, 9, 14, 20)
    assert sequential.Plan.geometric(3, 3).looks == (3,)


def test_the_levels_add_up_to_the_whole_error():
    levels = [PLAN.levels(look, checks=5) for look in PLAN.looks]
    assert sum(one.equivalent for one in levels) == pytest.approx(PLAN.alpha_equivalent)
    assert sum(one.different for one in levels) == pytest.approx(PLAN.alpha_different / 5)


@pytest.mark.parametrize("looks", [(), (1, 4), (4, 4), (6, 4)])
def test_looks_must_increase_from_two(looks):
    with pytest.raises(ValueError, match="looks="):
        sequential.Plan(looks)


def test_a_difference_of_the_margin_is_seldom_found_equivalent():
    # 0.017 is three standard deviations of the simulated share of errors.
    assert share(equivalence.EQUIVALENT, true=MARGIN) <= PLAN.alpha_equivalent + 0.017


def test_a_difference_of_the_margin_is_seldom_found_different():
    assert share(equivalence.DIFFERENT, true=MARGIN) <= PLAN.alpha_different + 0.008


def test_without_a_plan_the_error_would_grow():
    """Without a plan, each look tests at the full level, and the errors add up."""
    random = np.random.default_rng(3)
    errors = 0
    for deltas in random.normal(MARGIN, SPREAD, (1500, 20)):
        for look in range(2, 21):
            found = differences.paired(
                dict(enumerate(deltas[:look])), dict.fromkeys(range(look), 0.0)
            )
            low, high = found.interval(PLAN.alpha_equivalent)
            if max(abs(low), abs(high)) <= MARGIN:
                errors += 1
                break
    assert errors / 1500 > 1.5 * PLAN.alpha_equivalent


def test_equal_ways_and_large_differences_are_decided():
    assert share(equivalence.EQUIVALENT, true=0.0) > 0.6
    assert share(equivalence.DIFFERENT, true=4 * MARGIN) > 0.95
