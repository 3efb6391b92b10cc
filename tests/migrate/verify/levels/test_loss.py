"""Tests for level 3: the loss."""

import numpy as np
import pytest
import tf_keras

from migrate.verify import results
from migrate.verify.levels import loss
from tests.migrate.verify import tiny, tiny_runs


def sum_of_losses():
    model = tiny.port()
    losses = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum")
    model.compile("sgd", losses)
    return model


def test_compares_the_loss_of_each_batch_in_both_modes():
    with tiny_runs.opened() as case:
        level = loss.run(case)
        logits, labels = tiny_runs.logits(case), case.batches.items[0].labels

    expected = np.mean(np.log(np.exp(logits).sum(1)) - logits[np.arange(16), labels])
    assert level.verdict == results.SAME, level.findings
    assert level.compared == "2 batches, both modes"
    assert len(level.comparisons) == 4
    assert level.comparisons[0].size == pytest.approx(expected, rel=1e-5)


def test_recognizes_a_sum_for_a_mean():
    with tiny_runs.opened(sum_of_losses) as case:
        level = loss.run(case)

    assert level.verdict == results.DIFFERENT
    assert "SUM for MEAN" in " ".join(level.findings)
