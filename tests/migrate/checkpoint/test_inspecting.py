"""Tests for the summary of a checkpoint."""

import io

import rich.console
import tensorflow as tf

from migrate.checkpoint import inspecting, open_source
from tests.migrate.checkpoint import small

tf1 = tf.compat.v1


def test_counts_parameters_bytes_and_optimizers(tmp_path):
    prefix = str(tmp_path / "model.ckpt-2")
    small.train_v1(lambda: tf1.train.MomentumOptimizer(0.1, 0.9), 2, prefix, partitions=2)
    found = inspecting.summary(open_source(prefix))

    assert (found["kind"], found["step"]) == ("name-based", 2)
    assert found["optimizers"] == {"Momentum": 3}
    assert found["parameters"] == 4 * 3 + 3 + 3
    assert found["bytes"] == 2 * 4 * found["parameters"] + 8  # float32, and the step as int64
    slot = next(t for t in found["tensors"] if t["role"] == "slot")
    assert (slot["of"], slot["slot"]) == ("net/hidden/kernel", "momentum")

    output = io.StringIO()
    inspecting.show(found, rich.console.Console(file=output, width=100))
    assert "4×3 in 2 parts" in output.getvalue()
    assert "18 parameters; optimizer state: Momentum on 3 variables" in output.getvalue()
