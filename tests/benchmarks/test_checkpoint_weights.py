"""Tests that weights, and nothing else, are found in the checkpoints of every way."""

import numpy as np
import pytest

from benchmarks import checkpoint_weights
from legacy.jobs import wide_deep as legacy_wide_deep
from modern.jobs import linear_regression as job
from modern.model_files import checkpoints, weights


@pytest.fixture
def model():
    made = job.build_model()
    made.compile(job.make_optimizer(0.1), job.make_loss())
    return made


def _assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value)


def test_of_a_modern_training(model, tmp_path):
    path = checkpoints.Checkpoints(model, str(tmp_path), 1, True, "worker-0").save()
    expected = weights.read(model)
    _assert_same(checkpoint_weights.read(path, expected), expected)


def test_of_an_estimator_with_slots_and_other_names(tmp_path):
    old, new = next(iter(legacy_wide_deep.WEIGHT_NAMES.items()))
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    path = str(tmp_path / "model.ckpt-7")
    slots = {f"{old}/Adagrad": value + 1, "global_step": np.int64(7)}
    weights.save(path, {old: value, "bias": value[0], **slots})
    expected = {new: value, "bias": value[0]}
    found = checkpoint_weights.read(path, expected, legacy_wide_deep.WEIGHT_NAMES)
    _assert_same(found, expected)


def test_what_is_not_there_is_not_made_up(tmp_path):
    path = str(tmp_path / "model.ckpt-7")
    weights.save(path, {"a/kernel": np.ones([2, 2], "f"), "b/kernel": np.ones([2, 2], "f")})
    like = {"c/kernel": np.ones([2, 2], "f"), "d/kernel": np.ones([2, 2], "f")}
    assert checkpoint_weights.read(path, like) == {}
