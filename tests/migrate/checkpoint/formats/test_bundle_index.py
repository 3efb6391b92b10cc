"""Tests for the index of a checkpoint."""

import numpy as np
import pytest
import tensorflow as tf

from migrate.checkpoint.formats import bundle_index
from modern.process import cli
from tests.migrate.checkpoint import damage


def test_gives_the_place_of_each_tensors_bytes(tmp_path):
    prefix = str(tmp_path / "model")
    values = {"scope/a": np.arange(6.0).reshape(2, 3), "scope/ab": np.array([7], np.int32)}
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=[*values],
        shape_and_slices=["", ""],
        tensors=[*values.values()],
    )
    index = bundle_index.read(prefix)

    assert index.shards == (f"{prefix}.data-00000-of-00001",)
    assert [*index.entries] == ["scope/a", "scope/ab"]
    with open(index.shards[0], "rb") as file:
        data = file.read()
    for name, value in values.items():
        entry = index.entries[name]
        assert entry.shape == value.shape
        assert data[entry.offset : entry.offset + entry.size] == value.tobytes()


def test_knows_the_slices_of_a_partitioned_variable(tmp_path):
    prefix = str(tmp_path / "model")
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=["t", "t"],
        shape_and_slices=["3 2 0,1:0,2", "3 2 1,2:0,2"],
        tensors=[np.zeros((1, 2)), np.zeros((2, 2))],
    )
    entry = bundle_index.read(prefix).entries["t"]

    assert entry.shape == (3, 2)
    assert {extents[0] for extents in entry.slices} == {(0, 1), (1, 2)}


def test_names_the_shard_that_is_missing(tmp_path):
    prefix = damage.write(str(tmp_path / "model"), [(100,), (7,)])
    index = bundle_index.read(prefix)
    assert index.sizes == (400, 28)
    index.check_shards()

    (tmp_path / "model.data-00000-of-00002").unlink()
    with pytest.raises(cli.UsageError, match="data-00000-of-00002 cannot be read"):
        index.check_shards()
