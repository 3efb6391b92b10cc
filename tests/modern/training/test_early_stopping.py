"""Tests of the rules by which evaluations end a training."""

import operator

import pytest

from modern.records import summaries
from modern.training import early_stopping

LOSSES = [(0, 0.9), (10, 0.5), (20, 0.6), (30, 0.5), (40, 0.45), (50, 0.7)]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (early_stopping.Beyond("loss", 0.55, operator.lt), "0.5 at step 10, beyond the threshold"),
        (early_stopping.Beyond("loss", 0.45, operator.lt), ""),
        (early_stopping.Beyond("loss", 0.89, operator.gt), "0.9 at step 0"),
        # An equal loss is no improvement: step 30 has the loss of step 10.
        (
            early_stopping.NoLongerBetter("loss", 20, operator.lt),
            "best at step 10, 20 steps before",
        ),
        (early_stopping.NoLongerBetter("loss", 21, operator.lt), ""),
        (early_stopping.NoLongerBetter("loss", 50, operator.gt), "best at step 0, 50 steps"),
    ],
)
def test_rules(rule, reason):
    found = rule.reason(LOSSES)
    assert reason in found if reason else found == ""


def test_values_are_read_from_the_summaries(tmp_path):
    writer = summaries.ScalarWriter(str(tmp_path))
    writer.write(5, {"loss": 0.5, "mae": 1.0})
    writer.write(9, {"loss": 0.25, "mae": 2.0})
    assert [*early_stopping.values(str(tmp_path), "loss", 0)] == [(5, 0.5), (9, 0.25)]
    assert [*early_stopping.values(str(tmp_path), "mae", 6)] == [(9, 2.0)]
    assert [*early_stopping.values(str(tmp_path / "none"), "mae", 0)] == []
    with pytest.raises(KeyError, match="'lost' is not among .* step 5 .*'mae'"):
        next(early_stopping.values(str(tmp_path), "lost", 0))
