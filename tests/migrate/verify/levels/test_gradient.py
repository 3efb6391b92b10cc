"""Tests for level 4: gradients."""

import numpy as np
import pytest

from migrate.verify import results
from migrate.verify.levels import gradient
from tests.migrate.verify import tiny, tiny_runs


@pytest.mark.parametrize(
    ("activation", "verdict", "findings"),
    [
        (None, results.SAME, 0),
        # The names of the variables, and the worst comparison in words.
        ("relu", results.DIFFERENT, 2),
    ],
)
def test_compares_the_gradients_of_two_batches(activation, verdict, findings):
    with tiny_runs.opened(lambda: tiny.port(activation=activation)) as case:
        level = gradient.run(case)

    assert level.verdict == verdict
    assert level.compared == "4 gradients"
    assert len(level.findings) == findings


def test_cannot_judge_gradients_that_are_not_finite():
    with tiny_runs.opened() as case:
        case.weights["logits/bias"] = np.array([np.nan, 0], np.float32)
        level = gradient.run(case)

    assert level.verdict == results.UNKNOWN
    assert level.findings[0] == "Not finite in the model_fn: logits/kernel, logits/bias."
