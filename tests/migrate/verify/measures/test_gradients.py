"""Tests for the comparison of gradients."""

import numpy as np
import pytest
import tf_keras

from migrate.verify import results
from migrate.verify.measures import gradients
from tests.migrate.verify import tiny, tiny_runs


def rectified():
    model = tiny.port(activation="relu")
    model.compile("sgd", tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


def test_computes_the_gradients_of_both_sides():
    with tiny_runs.opened(rectified) as case:
        compared, unusable = gradients.compare(case, case.batches.items[0])
        logits, batch = tiny_runs.logits(case), case.batches.items[0]

    def by_kernel(outputs, slope):
        odds = np.exp(outputs) / np.exp(outputs).sum(1, keepdims=True)
        errors = (odds - np.eye(2)[batch.labels]) * slope / 16
        return batch.features.T @ errors

    old, new = by_kernel(logits, 1), by_kernel(np.maximum(logits, 0), logits > 0)
    assert not unusable
    names = ["gradient of logits/kernel", "gradient of logits/bias"]
    assert [one.what for one in compared] == names
    assert compared[0].size == pytest.approx(np.abs(old).max(), rel=1e-5)
    assert compared[0].deviation == pytest.approx(np.abs(old - new).max(), rel=1e-4)


def test_describes_the_worst_gradient_first():
    compared = [
        results.Comparison(f"gradient of {name}", name, deviation, 1.0, 1.0)
        for name, deviation in (("a", 2.0), ("b", 5.0), ("c", 0.5))
    ]
    assert gradients.describe(compared[:2], compared) == ["Gradients differ for 2 of 3: b, a."]
    assert gradients.describe([], compared) == []
