"""Test of a training that begins with another model's weights."""

import pytest

from legacy import estimator
from tests.legacy.estimator.models import Losses, dataset, model_fn


def test_warm_start(trained, tmp_path):
    def started(warm_start_from, name):
        fresh = estimator.Estimator(model_fn, tmp_path / name, warm_start_from=warm_start_from)
        losses = Losses()
        fresh.train(dataset, steps=1, hooks=[losses])
        return losses.values[0]

    initial = pytest.approx(1.22)
    assert started(None, "a") == initial
    assert started(trained.model_dir, "b") != initial
    only_bias = estimator.WarmStartSettings(trained.model_dir, vars_to_warm_start="^b")
    assert started(only_bias, "c") not in (started(trained.model_dir, "d"), initial)
