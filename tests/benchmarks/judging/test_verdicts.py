"""Tests that checks decide one by one as results for more seeds arrive."""

import pytest

from benchmarks.judging import verdicts
from benchmarks.judging.margins import Margins
from migrate import equivalence
from migrate.equivalence import sequential

PLAN = sequential.Plan.geometric(first=3, last=9)  # looks at 3, 5, 8 and 9
MARGINS = Margins(loss=0.02, metric=0.03, curve=0.2)


def runs(seeds, scatter=0.001, shift=0.0):
    """Returns runs whose losses alternate above and below the same mean."""
    return [
        {
            "seed": seed,
            "eval": {"loss": 0.5 + shift + scatter * (-1) ** seed},
            "loss_curve": [[64 * i, 0.3 + 2 * (1 - i / 20)] for i in range(1, 21)],
        }
        for seed in range(seeds)
    ]


def after(seeds, **way):
    """Returns the state of all checks after the looks up to a number of seeds."""
    sampled = verdicts.SampledChecks(PLAN, MARGINS)
    whole = {"single": runs(9, scatter=0.0), "legacy": runs(9, **way)}
    for count in range(1, seeds + 1):
        sampled.look([{name: of_way[:count] for name, of_way in whole.items()}], count)
    return sampled


def test_nothing_is_decided_before_the_first_look():
    assert after(2).checks == []
    assert not after(2).decided


@pytest.mark.parametrize(("shift", "outcome"), [(0.0, "equivalent"), (0.3, "different")])
def test_clear_cases_decide_at_the_first_look(shift, outcome):
    sampled = after(3, shift=shift)
    assert sampled.decided
    assert equivalence.verdict(sampled.checks) == outcome


def test_scatter_needs_more_seeds():
    early, late = after(3, scatter=0.01), after(9, scatter=0.01)
    assert not early.decided
    assert late.decided
    assert equivalence.verdict(late.checks) == equivalence.EQUIVALENT


def test_between_looks_nothing_changes():
    at_look, after_it = after(3, scatter=0.01), after(4, scatter=0.01)
    assert at_look.checks == after_it.checks


def test_a_decided_check_keeps_its_outcome():
    sampled = after(3)
    bad = {"single": runs(5), "legacy": runs(5, shift=0.3)}
    sampled.look([bad], 5)
    assert equivalence.verdict(sampled.checks) == equivalence.EQUIVALENT
