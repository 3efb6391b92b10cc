"""Tests for the comparison of dropout."""

import numpy as np
import pytest

from migrate.verify.measures import dropouts


@pytest.mark.parametrize(
    ("function", "alike"),
    [
        (lambda x: 3 * x.T, True),
        (lambda x: np.maximum(x, 0), True),
        (lambda x: x + 0.1, False),
        (lambda x: x[:-1], False),
    ],
    ids=["transposed and scaled", "rectified", "shifted", "a part"],
)
def test_knows_what_dropout_is_applied_to_by_its_values(function, alike):
    value = np.random.default_rng(1).normal(size=(4, 3)).astype(np.float32)
    assert dropouts._same_values(value, function(value), 1e-6) is alike
