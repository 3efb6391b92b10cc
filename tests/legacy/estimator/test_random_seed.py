"""Test that a RunConfig's seed decides unseeded random numbers, as in the original Estimator."""

import importlib.util
import json
import subprocess
import sys

import pytest

from legacy import original

ENGINES = [
    "ours",
    pytest.param(
        "original",
        marks=pytest.mark.skipif(
            importlib.util.find_spec(original.PACKAGE) is None,
            reason=f"the original is not installed: {original.INSTALL}",
        ),
    ),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_workers_draw_the_same_with_a_seed_and_other_numbers_without(engine):
    command = [sys.executable, "-m", "tests.legacy.estimator.random_seed", engine]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    seeded, as_seeded, *unseeded = json.loads(done.stdout.splitlines()[-1])
    assert seeded == as_seeded
    steps = [step for training in unseeded for step in training]
    assert len(steps) == 4
    for drawn in zip(*steps, strict=True):  # First orders, then masks.
        assert len({str(one) for one in drawn}) == 4
