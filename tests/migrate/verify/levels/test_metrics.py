"""Tests for level 6: evaluation metrics."""

from migrate.verify.levels import metrics
from tests.migrate.verify import tiny, tiny_runs


def test_asks_which_metric_is_which():
    report = tiny_runs.run(lambda: tiny.port(metric="share"))

    assert report.exit_code == 2
    assert "--metric=LEGACY=PORT" in tiny_runs.findings(report, 6)


def test_pairs_metrics_by_name():
    pairs, old, new = metrics.pair(
        ["accuracy/head", "auc", "rmse", "mine"],
        ["head_accuracy", "auc_3", "root_mean_squared_error", "other"],
        {},
    )
    assert pairs == {
        "accuracy/head": "head_accuracy",
        "auc": "auc_3",
        "rmse": "root_mean_squared_error",
    }
    assert (old, new) == (["mine"], ["other"])


def test_pairs_metrics_with_an_outputs_name_in_front_where_there_is_one():
    assert metrics.pair(["cost", "loss"], ["a_cost", "b_gain"], {})[0] == {"cost": "a_cost"}
    assert not metrics.pair(["cost"], ["a_cost", "b_cost"], {})[0]
