"""Tests for level 1: variables."""

from migrate.checkpoint.naming import mapping
from migrate.verify import results
from tests.migrate.verify import tiny, tiny_runs


def test_a_variable_too_few_is_a_difference():
    report = tiny_runs.run(lambda: tiny.port(use_bias=False))

    assert report.exit_code == 1
    assert "logits/bias (2,) has no counterpart in the port" in tiny_runs.findings(report, 1)


def test_a_variable_left_out_by_the_map_is_none():
    given = mapping.TensorMap(left_out=("logits/bias",))
    report = tiny_runs.run(lambda: tiny.port(use_bias=False), tensor_map=given)

    assert report.levels[0].verdict == results.SAME
    assert "logits/bias" in " ".join(report.levels[0].notes)
