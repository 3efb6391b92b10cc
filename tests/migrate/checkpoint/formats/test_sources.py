"""Tests for the meaning of paths."""

import pytest
import tensorflow as tf

from migrate.checkpoint import open_source
from modern.process import cli


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
