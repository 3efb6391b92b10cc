"""Tests for optimizers of tf.train as those of Keras."""

import inspect

import pytest
import tensorflow as tf
import tf_keras

from migrate.rewrite.analysis import optimizer_calls

NAMES = optimizer_calls.OPTIMIZERS


@pytest.mark.parametrize("name", NAMES)
def test_the_parameters_are_those_of_both_classes(name):
    optimizer = NAMES[name]
    old = list(inspect.signature(getattr(tf.compat.v1.train, name).__init__).parameters)[1:]
    # TensorFlow 2 has added a last one.
    assert old[: len(optimizer.parameters)] == list(optimizer.parameters)
    keras = inspect.signature(getattr(tf_keras.optimizers, optimizer.keras).__init__).parameters
    kept = [optimizer.renamed.get(one, one) for one in optimizer.parameters]
    assert {one for one in kept if one} | set(optimizer.defaults) <= set(keras)


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("AdamOptimizer", {}, ["learning_rate=0.001", "epsilon=1e-08"]),
        (
            "AdamOptimizer",
            {"learning_rate": "r", "epsilon": "1.0", "name": "'a'"},
            ["learning_rate=r", "epsilon=1.0"],
        ),
        (
            "MomentumOptimizer",
            {"learning_rate": "r", "momentum": "0.9", "use_nesterov": "True"},
            ["learning_rate=r", "momentum=0.9", "nesterov=True"],
        ),
        (
            "RMSPropOptimizer",
            {"learning_rate": "r", "decay": "d"},
            ["learning_rate=r", "rho=d", "epsilon=1e-10"],
        ),
    ],
)
def test_defaults_that_differ_are_written_out(name, given, expected):
    assert optimizer_calls.keras_arguments(NAMES[name], given) == expected
