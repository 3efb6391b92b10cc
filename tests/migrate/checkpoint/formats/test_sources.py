"""Tests for checkpoint formats that other tools write, and for the meaning of paths."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.checkpoint import open_source
from modern.process import cli
from tests.migrate.checkpoint import small

tf1 = tf.compat.v1


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@pytest.mark.parametrize("optimizer", ["Adam", "RMSprop", "SGD"])
def test_files_of_keras_3_are_read_with_the_names_of_layers_and_slots(optimizer, tmp_path):
    import keras

    model = keras.Sequential(
        [keras.layers.Input((4,)), keras.layers.Dense(3, name="a"), keras.layers.Dense(1, name="b")]
    )
    settings = {} if optimizer == "Adam" else {"momentum": 0.5}
    model.compile(getattr(keras.optimizers, optimizer)(**settings), "mse")
    model.optimizer.build(model.trainable_variables)
    first = model.optimizer.variables[2]  # the first two are iterations and learning rate
    first.assign(np.full(first.shape, 5.0))
    model.save(tmp_path / "m.keras")
    with open_source(str(tmp_path / "m.keras")) as source:
        assert [one.name for one in source.of("variable")] == [
            "a/kernel", "a/bias", "b/kernel", "b/bias",
        ]  # fmt: skip
        slot = next(source.of("slot"))
        expected = {"Adam": ("Adam", "m"), "RMSprop": ("RMSProp", "rms")}
        assert slot.owner == "a/kernel"
        assert (slot.kind, slot.slot) == expected.get(optimizer, ("Momentum", "momentum"))
        np.testing.assert_array_equal(source.read(slot), np.full((4, 3), 5.0))
        assert source.step() == 0


def test_the_single_file_of_tensorflow_before_1_0_is_read(tmp_path):
    with tf.Graph().as_default(), tf1.Session() as session:
        parts = tf1.fixed_size_partitioner(2)
        tf1.get_variable("w", (4, 2), partitioner=parts, initializer=tf1.ones_initializer())
        session.run(tf1.global_variables_initializer())
        path = tf1.train.Saver(write_version=1).save(session, str(tmp_path / "model.ckpt"))
    source = open_source(path)
    assert source.kind == "name-based V1"
    np.testing.assert_array_equal(source.read(source.stored[0]), np.ones((4, 2)))


def test_a_partitioned_variable_and_its_slots_are_whole_and_in_the_order_of_creation(tmp_path):
    prefix = str(tmp_path / "model.ckpt-1")

    def make():
        return tf1.train.AdagradOptimizer(0.1, 0.5)

    small.train_v1(make, 0, prefix, partitions=3)
    source = open_source(prefix)
    assert [one.name for one in source.of("variable")] == [
        "net/hidden/kernel", "net/hidden/bias", "net/head/kernel",
    ]  # fmt: skip
    kernel = next(source.of("variable"))
    slot = next(one for one in source.of("slot") if one.owner == kernel.name)
    assert (kernel.partitions, kernel.trainable) == (3, True)
    np.testing.assert_array_equal(source.read(slot), np.full((4, 3), np.float32(0.5)))


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


def test_a_folder_means_its_latest_and_says_what_it_lacks(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0, name="v")).save(str(tmp_path / "a" / "ckpt"))
    assert open_source(str(tmp_path / "a")).path == path
    moved = tmp_path / "moved"
    (tmp_path / "a").rename(moved)
    assert open_source(str(moved)).path == str(moved / "ckpt-1")
    (moved / "ckpt-1.index").unlink()
    with pytest.raises(cli.UsageError, match="checkpoint names .*ckpt-1.index is missing"):
        open_source(str(moved))
    with pytest.raises(cli.UsageError, match="neither a `checkpoint` file nor a SavedModel"):
        open_source(str(tmp_path))


def test_state_of_variables_that_share_a_name_is_no_variable(tmp_path):
    pair = [tf.Variable([1.0], name="w"), tf.Variable([2.0], name="w")]
    optimizer = tf_keras.optimizers.Adam()
    optimizer.build(pair)
    path = tf.train.Checkpoint(v=pair, optimizer=optimizer).write(str(tmp_path / "ckpt"))
    found = open_source(path)
    assert [one.name for one in found.of("variable")] == ["v/0", "v/1"]
    assert [one.owner for one in found.of("slot")] == [""] * 4
