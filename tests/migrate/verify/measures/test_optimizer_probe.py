"""Tests for single steps of both optimizers from tiny gradients."""

import pytest

from migrate.verify import results
from tests.migrate.verify import program, tiny, tiny_runs


@pytest.mark.parametrize(
    ("momentum", "verdict"),
    [(1e-30, results.SAME), (0.0, results.DIFFERENT)],  # with 0, epsilon is outside the root
)
def test_asks_optimizers_alone_where_epsilon_tells(momentum, verdict):
    def build_model():
        return tiny.port(program.FromOnes(0.1, rho=0.9, momentum=momentum, epsilon=1e-10))

    report = tiny_runs.run(build_model, {"optimizer": "rmsprop"})
    assert report.levels[4].verdict == verdict
    assert ("tiny gradients" in tiny_runs.findings(report, 5)) == (verdict == results.DIFFERENT)
