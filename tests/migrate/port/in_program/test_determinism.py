"""Tests that seeds of a program give the same numbers in all runs."""

import random

import numpy as np
import pytest

from migrate.port.in_program import determinism


@pytest.mark.parametrize("module", [random, np.random])
def test_a_seed_from_the_clock_is_the_fixed_seed(module, monkeypatch, tmp_path):
    for changed in (random, np.random):
        monkeypatch.setattr(changed, "seed", changed.seed)  # Restored after the test.
    determinism.begin(str(tmp_path))
    first = module.random()
    module.seed(None)
    assert module.random() == first
    module.seed()
    assert module.random() == first
    module.seed(3)
    assert module.random() != first
