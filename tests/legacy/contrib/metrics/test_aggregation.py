"""Test of several metrics."""

import pytest

from legacy.contrib import metrics


def test_values_and_updates_are_separated():
    assert metrics.aggregate_metrics((1, 2), (3, 4)) == ([1, 3], [2, 4])
    assert metrics.aggregate_metric_map({"a": (1, 2), "b": (3, 4)}) == (
        {"a": 1, "b": 3},
        {"a": 2, "b": 4},
    )
    with pytest.raises(ValueError, match="at least one value_tensor/update_op pair"):
        metrics.aggregate_metrics()
