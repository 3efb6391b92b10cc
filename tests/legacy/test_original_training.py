"""Tests of the mode in which the original Estimators train in a cluster."""

import types

import pytest

from legacy import original_training


@pytest.mark.parametrize(
    ("mode", "cluster", "expected"),
    [
        ("independent_worker", {"worker": ["a:1"]}, True),
        ("standalone_client", {"worker": ["a:1"]}, True),
        ("independent_worker", {}, False),
        (None, {"worker": ["a:1"]}, False),
    ],
)
def test_the_coordinator_runs_only_in_a_cluster(mode, cluster, expected):
    config = types.SimpleNamespace(_distribute_coordinator_mode=mode, cluster_spec=cluster)
    assert original_training.should_run_distribute_coordinator(config) is expected


def test_train_and_evaluate_alone_need_a_standalone_client():
    config = types.SimpleNamespace(
        _distribute_coordinator_mode="independent_worker", _eval_distribute=None
    )
    estimator = types.SimpleNamespace(config=config)
    with pytest.raises(ValueError, match="Estimator.evaluate in a cluster works from a standalone"):
        original_training.estimator_evaluate(estimator, None, [])
