"""Tests of hyperparameters that TPUEstimator sets."""

import pytest

from legacy.contrib.training import HParams
from legacy.estimator.tpu import params


@pytest.mark.parametrize("key", ["batch_size", "context"])
def test_reserved_names(key):
    params.check(None)
    params.check({"rate": 1})
    with pytest.raises(ValueError, match=f"reserved keys but existed in params .*{key}"):
        params.check({key: 1})


def test_a_value_is_added_and_then_set():
    hparams = HParams(rate=0.5)
    assert params.with_value(hparams, "batch_size", 8) is hparams
    assert params.with_value(hparams, "batch_size", 16).values() == {"rate": 0.5, "batch_size": 16}
