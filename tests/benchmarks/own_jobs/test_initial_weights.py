"""Tests for the checkpoints from which all ways start."""

import numpy as np
import pytest

from benchmarks.own_jobs import initial_weights
from modern.model_files import weights
from tests.benchmarks.own_jobs import preparations

pytestmark = pytest.mark.filterwarnings("ignore:`tf.layers:UserWarning")


def test_all_ways_begin_with_what_an_estimator_begins_with(tmp_path):
    preparation = preparations.prepared(tmp_path)
    preparation.write_initial_weights(range(2))
    first, second = (
        initial_weights.read(str(tmp_path / "initial" / f"seed-{seed}" / "model.ckpt-0"))
        for seed in range(2)
    )
    assert set(first) == {"hidden/kernel", "hidden/bias", "outputs/kernel", "outputs/bias"}
    assert np.any(first["hidden/kernel"] != second["hidden/kernel"])
    port = weights.load(str(tmp_path / "initial" / "port-seed-1"))
    for name, value in second.items():
        np.testing.assert_array_equal(port[f"sequential/{name}"], value)
    assert preparation.initial.keys() == first.keys()
