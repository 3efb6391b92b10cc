"""Tests for the names of numbered variables in a `.keras` file."""

import pytest
import tensorflow as tf
import tf_keras

from migrate.checkpoint import open_source


@pytest.mark.parametrize(
    ("optimizer", "settings"),
    [
        ("Adam", {"use_ema": True, "amsgrad": True}),
        ("RMSprop", {"momentum": 0.5, "centered": True}),
        ("RMSprop", {}),
        ("SGD", {"momentum": 0.5}),
        ("SGD", {}),
        ("Adagrad", {}),
        ("Ftrl", {}),
        ("Adadelta", {}),
    ],
)
def test_numbered_variables_in_a_keras_file_are_those_of_the_model(optimizer, settings, tmp_path):
    """The hard-coded order in which optimizers create variables is that of tf_keras."""
    layers = [tf_keras.layers.Input((4,)), tf_keras.layers.Dense(3, name="a")]
    model = tf_keras.Sequential([*layers, tf_keras.layers.Dense(1, name="b")])
    model.compile(getattr(tf_keras.optimizers, optimizer)(**settings), "mse")
    model.optimizer.build(model.trainable_variables)
    for number, variable in enumerate(model.optimizer.variables):
        variable.assign(tf.cast(tf.fill(variable.shape, number), variable.dtype))
    model.save(tmp_path / "m.keras")
    with open_source(str(tmp_path / "m.keras")) as source:
        found = [*source.of("slot"), *source.of("average")]
        assert len(found) == len(model.optimizer.variables) - 1
        for one in found:
            number = int(source.read(one).flat[0])
            named = model.optimizer.variables[number].name.removesuffix(":0")
            assert one.name.endswith(named), (one.name, named)
