"""Tests of the checkpoints that a folder keeps."""

import os

import pytest
import tensorflow as tf

from modern.model_files import rotation


def write(folder, *steps):
    for step in steps:
        path = tf.train.Checkpoint(step=tf.Variable(step)).write(f"{folder}/ckpt-{step}")
        rotation.register(path)


def files(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".index"))


@pytest.fixture(params=["absolute", "relative"])
def folder(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "m") if request.param == "absolute" else "m"


def test_the_latest_ones_stay(folder):
    write(folder, 1, 2, 3)
    rotation.keep_latest(folder, 2)
    assert files(folder) == ["ckpt-2.index", "ckpt-3.index"]
    assert [os.path.basename(path) for path in rotation.paths_in(folder)] == ["ckpt-2", "ckpt-3"]
    assert tf.train.latest_checkpoint(folder).endswith("ckpt-3")


@pytest.mark.parametrize("count", [None, 0, 3])
def test_none_is_too_many(folder, count):
    write(folder, 1, 2)
    rotation.keep_latest(folder, count)
    assert files(folder) == ["ckpt-1.index", "ckpt-2.index"]


def test_a_step_that_is_written_again_is_named_once(folder):
    write(folder, 1, 2, 1)
    assert [os.path.basename(path) for path in rotation.paths_in(folder)] == ["ckpt-2", "ckpt-1"]


def test_the_one_before_is_the_latest_after_a_discarded_one(folder):
    write(folder, 1, 2)
    rotation.discard(os.path.join(folder, "ckpt-2"))
    assert tf.train.latest_checkpoint(folder).endswith("ckpt-1")
    assert files(folder) == ["ckpt-1.index"]
    rotation.discard(os.path.join(folder, "ckpt-1"))
    assert tf.train.latest_checkpoint(folder) is None
    assert os.listdir(folder) == []


def test_a_folder_can_be_moved(tmp_path):
    write(tmp_path / "old", 1)
    os.rename(tmp_path / "old", tmp_path / "new")
    assert tf.train.latest_checkpoint(str(tmp_path / "new")) == str(tmp_path / "new" / "ckpt-1")


def test_later_steps_are_never_removed(folder):
    write(folder, 10, 20, 30)
    rotation.forget_after(folder, 10)
    write(folder, 11, 12)
    rotation.keep_latest(folder, 1)
    assert files(folder) == ["ckpt-12.index", "ckpt-20.index", "ckpt-30.index"]
    assert [os.path.basename(path) for path in rotation.paths_in(folder)] == ["ckpt-12"]


def test_a_folder_whose_name_is_a_pattern(tmp_path):
    write(tmp_path / "[a]*", 1, 2)
    rotation.keep_latest(str(tmp_path / "[a]*"), 1)
    assert files(tmp_path / "[a]*") == ["ckpt-2.index"]
