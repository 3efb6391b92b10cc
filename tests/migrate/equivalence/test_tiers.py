"""Tests for all tiers on simulated trainings, with planted defects that each tier must catch."""

import pytest

from migrate import equivalence
from tests.migrate.equivalence import simulate

SEEDS = (1, 2, 3, 4, 5)


@pytest.fixture(scope="module")
def reference():
    """Returns runs of a single trainer with the global batch, by seed."""
    return {seed: simulate.train(seed, trainers=1, batch=64, rate=0.08) for seed in SEEDS}


def compare(reference, **how):
    """Returns the checks of all tiers for one way against the reference, by name."""
    runs = {seed: simulate.train(seed, **how) for seed in SEEDS}
    first = SEEDS[0]
    checks = [
        equivalence.exact(
            "weights",
            "two trainers",
            "one trainer",
            runs[first].weights,
            reference[first].weights,
            initial=reference[first].initial,
        ),
        *(
            equivalence.tost_paired(
                name,
                "two trainers",
                "one trainer",
                {seed: getattr(run, name) for seed, run in runs.items()},
                {seed: getattr(run, name) for seed, run in reference.items()},
                margin,
            )
            for name, margin in (("loss", 0.05), ("accuracy", 0.02))
        ),
        equivalence.trajectory(
            "curve",
            "two trainers",
            "one trainer",
            {seed: run.curve for seed, run in runs.items()},
            {seed: run.curve for seed, run in reference.items()},
            margin=0.15,
        ),
    ]
    return {check.name: check for check in checks}


def test_synchronous_training_passes_every_tier(reference):
    checks = compare(reference)
    assert equivalence.verdict(checks.values()) == equivalence.EQUIVALENT
    assert checks["weights"].statistic < 1e-5


def test_asynchronous_training_passes_all_but_the_exact_tier(reference):
    checks = compare(reference, asynchronous=True)
    assert not checks.pop("weights").passed
    assert equivalence.verdict(checks.values()) == equivalence.EQUIVALENT


@pytest.mark.parametrize("defect", simulate.DEFECTS)
def test_exact_tier_catches_each_planted_defect(reference, defect):
    check = compare(reference, defect=defect)["weights"]
    assert not check.passed
    assert check.statistic > 10 * check.limit


@pytest.mark.parametrize(
    ("defect", "caught_by"),
    [
        ("summed_gradients", {"loss", "accuracy", "curve"}),
        ("unscaled_rate", {"loss", "accuracy", "curve"}),
        ("shifted_labels", {"loss", "accuracy"}),  # Shifted labels are as easy to learn.
        ("same_shard", {"loss", "accuracy", "curve"}),
    ],
)
def test_other_tiers_catch_planted_defects(reference, defect, caught_by):
    checks = compare(reference, defect=defect)
    different = {name for name, c in checks.items() if c.outcome == equivalence.DIFFERENT}
    assert different - {"weights"} == caught_by


@pytest.mark.parametrize("defect", ["shifted_labels", "same_shard"])
def test_statistical_tier_catches_defects_of_asynchronous_training(reference, defect):
    checks = compare(reference, asynchronous=True, defect=defect)
    assert not checks["loss"].passed
    assert not checks["accuracy"].passed
