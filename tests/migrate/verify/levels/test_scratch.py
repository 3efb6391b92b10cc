"""Tests for level 7: training from scratch."""

import pytest
import tf_keras

from migrate import batches
from migrate.verify import results
from migrate.verify.levels import scratch
from migrate.verify.sides import legacy_model, port
from tests.migrate.verify import tiny


@pytest.mark.parametrize(
    ("rate", "loss_margin", "verdict"),
    [(0.1, 0.9, results.SAME), (0.0001, 0.2, results.DIFFERENT)],
    ids=["the same rate", "a thousandth of it"],
)
def test_trains_from_scratch(rate, loss_margin, verdict):
    old = legacy_model.Program(tiny.model_fn, tiny.params)
    drawn = batches.draw(tiny.input_fn, 3)
    modern = port.Port(lambda: tiny.port(tf_keras.optimizers.Adam(rate, epsilon=1e-8)))
    trials = scratch.Trials(seeds=3, steps=20, loss_margin=loss_margin, metric_margin=0.5)
    level = scratch.run(old, modern, drawn, drawn, trials)

    assert level.verdict == verdict, level.findings
