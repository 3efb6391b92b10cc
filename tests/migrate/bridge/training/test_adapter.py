"""Tests for the adapter of a bridged model."""

import numpy as np
import tensorflow as tf

from migrate import bridge
from migrate.bridge.training import adapter
from tests.migrate.bridge import small


def test_saves_and_loads_checkpoints_of_an_estimator(tmp_path):
    first = adapter.BridgedAdapter(small.build(small.model_fn, params={}))
    files = first.files(str(tmp_path), 2, "worker-0")
    for step in (1, 2, 3):
        first.model.global_step.assign(step)
        files.save()
        files.rotate()
    assert first.latest(str(tmp_path)) == str(tmp_path / "model.ckpt-3")
    assert sorted(path.name for path in tmp_path.glob("*.index")) == [
        "model.ckpt-2.index",
        "model.ckpt-3.index",
    ]
    files.discard()
    assert first.latest(str(tmp_path)) == str(tmp_path / "model.ckpt-2")

    second = adapter.BridgedAdapter(bridge.KerasModelFn(small.model_fn, {}))
    second.build(small.input_fn(), training=True)
    assert second.step() == 0
    assert second.load(str(tmp_path / "model.ckpt-2")) == second.step() == 2
    for one, other in zip(first.model.get_weights(), second.model.get_weights(), strict=True):
        if one.ndim:
            np.testing.assert_array_equal(one, other)


def test_a_checkpoint_that_was_deleted_is_none(tmp_path):
    loaded = adapter.BridgedAdapter(small.build(small.model_fn, params={}))
    assert loaded.load(str(tmp_path / "model.ckpt-7")) is None


def test_exports_into_a_new_subfolder(tmp_path):
    exported = adapter.BridgedAdapter(small.build(small.model_fn, params={}))
    path = exported.export(str(tmp_path), None).decode()
    assert [str(found) for found in tmp_path.iterdir()] == [path]
    assert "serving_default" in tf.saved_model.load(path).signatures
