"""Tests for targets without a template."""

import pytest
import tensorflow as tf

from migrate.checkpoint import open_source
from migrate.checkpoint.conversion import targets
from tests.migrate.checkpoint import small

tf1 = tf.compat.v1
PAIRS = {"net/hidden/kernel": "a/kernel", "net/hidden/bias": "a/bias"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("m.weights.h5", "weights.h5"),
        ("m.h5", "h5"),
        ("a.b/m.keras", "keras"),
        ("model.ckpt-3", None),
    ],
)
def test_takes_the_kind_from_the_extension(path, kind):
    assert targets.kind_of(path) == kind


def test_names_slots_by_their_variables(tmp_path):
    prefix = str(tmp_path / "model.ckpt-1")
    small.train_v1(lambda: tf1.train.AdamOptimizer(0.1), 1, prefix)
    with open_source(prefix) as source:
        found = {tensor.name: tensor.owner for tensor in targets.name_based_tensors(source, PAIRS)}
        weights = [
            tensor.name for tensor in targets.name_based_tensors(source, PAIRS, weights_only=True)
        ]

    assert found == {
        "a/kernel": "",
        "a/kernel/Adam": "a/kernel",
        "a/kernel/Adam_1": "a/kernel",
        "a/bias": "",
        "a/bias/Adam": "a/bias",
        "a/bias/Adam_1": "a/bias",
        "train/beta1_power": "",
        "train/beta2_power": "",
        "global_step": "",
    }
    assert sorted(weights) == ["a/bias", "a/kernel"]
