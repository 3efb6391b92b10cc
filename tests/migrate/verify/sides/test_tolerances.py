"""Tests for tolerances by noise floor."""

import numpy as np
import pytest

from migrate.verify.sides import tolerances


def test_a_tolerance_follows_what_rounding_does_to_that_number():
    floor = tolerances.Floor({"calm": np.ones(3, np.float32), "wild": np.ones(3, np.float32)})
    floor.see({"calm": np.ones(3, np.float32), "wild": np.full(3, 1.01, np.float32)})

    assert floor.tolerance("calm") == pytest.approx(tolerances.MARGIN * 2**-23)
    assert floor.tolerance("wild") == pytest.approx(tolerances.MARGIN * 0.01, rel=1e-3)
    assert tolerances.deviation(np.array([np.nan]), np.array([1.0])) == np.inf
