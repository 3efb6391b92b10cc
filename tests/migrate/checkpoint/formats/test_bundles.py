"""Tests for checkpoints in TensorFlow's own formats, whole and damaged."""

import os

import numpy as np
import pytest
import tensorflow as tf

from migrate.checkpoint import convert, open_source
from modern.process import cli
from tests.migrate.checkpoint import damage, small

tf1 = tf.compat.v1

SHARD = ".data-00001-of-00002"


@pytest.fixture
def two_shards(tmp_path):
    return damage.write(str(tmp_path / "model"), [(100,), (7,)])


@pytest.mark.parametrize(
    ("harm", "suffix", "message"),
    [
        (os.remove, SHARD, "cannot be read .No such file"),
        (
            lambda path: damage.cut(path, 20),
            SHARD,
            "is cut off: it has 20 bytes, but the index requires 28",
        ),
        (lambda path: damage.flip(path, 3), SHARD, "is damaged: w1 cannot be read"),
        (os.remove, ".index", "is missing"),
        (lambda path: damage.cut(path, 60), ".index", "is damaged, or is not the index"),
        (lambda path: damage.flip(path, 25), ".index", "is damaged"),
        (lambda path: damage.cut(path, 0), ".index", "is damaged, or is not the index"),
    ],
)
def test_the_file_that_is_damaged_is_named_and_nothing_is_written(
    harm, suffix, message, two_shards, tmp_path
):
    harm(two_shards + suffix)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(cli.UsageError, match=f"model{suffix} {message}"):
        convert(two_shards, str(tmp_path / "out" / "model"))
    assert sorted(os.listdir(tmp_path)) == before


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
