"""Tests for level 2: the forward pass."""

import pytest

from migrate.verify import results
from tests.migrate.verify import tiny, tiny_runs


def test_takes_probabilities_for_logits():
    report = tiny_runs.run(lambda: tiny.port(activation="softmax"))

    assert report.verdict == results.SAME
    assert "softmax(logits/BiasAdd:0)" in " ".join(report.levels[1].notes)


@pytest.mark.parametrize(
    ("params", "level", "told"),
    [({"noise": True}, 2, "random_normal"), ({"nan": True}, 2, "is nan")],
    ids=["noise", "nan"],
)
def test_cannot_tell(params, level, told):
    report = tiny_runs.run(params=params)

    assert report.exit_code == 2
    assert report.levels[level - 1].verdict == results.UNKNOWN
    assert told in tiny_runs.findings(report, level)
