"""Tests for fixed, nudged and scaled weights."""

import numpy as np

from migrate.verify.sides import values


def test_nudges_each_number_by_one_unit_in_the_last_place():
    given = {"w": np.linspace(1, 2, 50, dtype=np.float32), "ids": np.arange(3), "no": None}
    moved = values.nudged(given, seed=3)

    assert set(np.sign(moved["w"] - given["w"])) == {-1, 1}
    np.testing.assert_allclose(moved["w"], given["w"], rtol=2e-7)
    np.testing.assert_array_equal(moved["ids"], given["ids"])
    assert moved["no"] is None


def test_interesting_weights_are_neither_zero_nor_one():
    initial = {
        "n/gamma": np.ones(4, np.float32),
        "n/moving_variance": np.ones(4, np.float32),
        "d/bias": np.zeros(4, np.float32),
        "d/kernel": np.full((2, 2), 0.5, np.float32),
        "count": np.zeros((), np.int64),
        "table": np.ones(4, np.float32),
    }
    found = values.interesting(initial, {"n/gamma", "d/bias", "d/kernel"})

    for name in ("n/gamma", "n/moving_variance", "d/bias"):
        assert not np.isin(found[name], [0, 1]).any()
    assert (found["n/moving_variance"] > 0).all()
    assert found["count"] == 0
    np.testing.assert_array_equal(found["table"], initial["table"])


def test_scales_what_is_trained_and_variances_by_the_square():
    weights = {name: np.ones(1, np.float32) for name in ("d/kernel", "n/moving_variance", "other")}
    found = values.scaled(weights, {"d/kernel"}, 4.0)
    assert {name: value.item() for name, value in found.items()} == {
        "d/kernel": 4.0,
        "n/moving_variance": 16.0,
        "other": 1.0,
    }
