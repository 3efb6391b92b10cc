"""Tests of TPUEstimator's settings. The oracle's `tpu_config` covers errors."""

import pytest

from legacy.estimator.tpu import config


@pytest.mark.parametrize(
    ("given", "value", "unit"),
    [(1, 1, "count"), ("100", 100, "count"), ("30s", 30, "seconds"), ("2h", 7200, "seconds")],
)
def test_iterations(given, value, unit):
    assert config.parse_iterations_per_loop(given) == (value, unit)


@pytest.mark.parametrize("given", [0, -1, 1.5, "-1h", "1d", "m", None])
def test_iterations_that_are_none(given):
    with pytest.raises(ValueError, match="Value must be positive integer"):
        config.parse_iterations_per_loop(given)


def test_replace_keeps_what_is_its_own():
    made = config.RunConfig(config.TPUConfig(num_shards=4), master="grpc://a:1")
    changed = made.replace(tf_random_seed=3)
    assert (changed.master, changed.tpu_config.num_shards) == ("grpc://a:1", 4)
    changed = changed.replace(tpu_config=config.TPUConfig(num_shards=8))
    assert (changed.tf_random_seed, changed.tpu_config.num_shards) == (3, 8)
    assert made.tpu_config.num_shards == 4
