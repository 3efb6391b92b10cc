"""Tests of the search for a checkpoint whose files are whole."""

import os
import pathlib

import numpy as np
import pytest
import tensorflow as tf

from modern.model_files import intact, rotation
from modern.model_files.errors import CheckpointError


def write(folder, *steps, prefix="ckpt", size=1000):
    for step in steps:
        values = tf.Variable(np.random.default_rng(step).random(size), tf.float32)
        rotation.register(tf.train.Checkpoint(x=values).write(f"{folder}/{prefix}-{step}"))


def step(folder):
    path = intact.newest(folder)
    return path and rotation.step_of(path)


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, 10, 20, 30)
    return str(tmp_path)


def data(folder, number):
    return os.path.join(folder, f"ckpt-{number}.data-00000-of-00001")


def flip_a_byte(path):
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 0xFF]))


# Each damages a file, and the message names this file.
DAMAGES = {
    "data removed": (os.remove, "data"),
    "data cut off": (lambda path: os.truncate(path, 100), "data"),
    "data emptied": (lambda path: os.truncate(path, 0), "data"),
    "data changed": (flip_a_byte, "data"),
    "index removed": (os.remove, "index"),
    "index emptied": (lambda path: os.truncate(path, 0), "index"),
    "index cut off": (lambda path: os.truncate(path, 40), "index"),
    "index replaced": (lambda path: pathlib.Path(path).write_bytes(b"garbage" * 30), "index"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_the_newest_whole_one_is_found(folder, name, caplog):
    damage, kind = DAMAGES[name]
    path = data(folder, 30) if kind == "data" else os.path.join(folder, "ckpt-30.index")
    damage(path)
    assert step(folder) == 20
    assert path in caplog.text
    assert f"Continuing from {folder}/ckpt-20 instead" in caplog.text


def test_whole_checkpoints_give_no_message(folder, caplog):
    assert step(folder) == 30
    assert not caplog.records


@pytest.mark.parametrize("name", DAMAGES)
def test_no_whole_one_is_an_error(tmp_path, name):
    write(tmp_path, 30)
    damage, kind = DAMAGES[name]
    path = data(tmp_path, 30) if kind == "data" else os.path.join(tmp_path, "ckpt-30.index")
    damage(path)
    with pytest.raises(CheckpointError) as caught:
        intact.newest(str(tmp_path))
    assert path in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"no proto", b""], ids=repr)
def test_the_list_of_checkpoints_can_be_damaged(folder, content):
    with open(os.path.join(folder, "checkpoint"), "wb") as file:
        file.write(content)
    assert step(folder) == 30


def test_the_list_can_be_missing(folder):
    os.remove(os.path.join(folder, "checkpoint"))
    assert step(folder) == 30


def test_a_damaged_list_alone_is_an_error(tmp_path):
    (tmp_path / "checkpoint").write_bytes(b"\xff\xfe")
    with pytest.raises(CheckpointError, match="checkpoint names no checkpoint"):
        intact.newest(str(tmp_path))


def test_a_list_of_missing_files_is_an_error(tmp_path):
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "ckpt-7"\n')
    with pytest.raises(CheckpointError, match=r"ckpt-7.index is missing"):
        intact.newest(str(tmp_path))


def test_an_older_one_that_the_list_names_comes_first(folder):
    tf.compat.v1.train.update_checkpoint_state(folder, "ckpt-20", ["ckpt-20"])
    assert step(folder) == 20


def test_a_save_that_was_killed_is_no_checkpoint(tmp_path):
    (tmp_path / "ckpt-10.data-00000-of-00001").write_bytes(b"half")
    assert intact.newest(str(tmp_path)) is None


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_folder_without_checkpoints(tmp_path, name):
    assert intact.newest(str(tmp_path / name)) is None


def test_a_missing_shard_is_named(tmp_path):
    write(tmp_path, 10)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        # A Saver writes a file for each device.
        with tf.device("/cpu:0"):
            x = tf.compat.v1.get_variable("x", initializer=tf.zeros([8]))
        session.run(x.initializer)
        saver = tf.compat.v1.train.Saver([x], sharded=True)
        path = saver.save(session, str(tmp_path / "ckpt"), global_step=20)
    second = f"{path}.data-00001-of-00002"
    os.rename(f"{path}.data-00000-of-00001", f"{path}.data-00000-of-00002")
    assert second in intact.damage(path)


def test_a_changed_file_is_read_again(folder):
    assert intact.damage(f"{folder}/ckpt-30") is None
    flip_a_byte(data(folder, 30))
    os.utime(data(folder, 30), ns=(1, 1))
    assert "is damaged" in intact.damage(f"{folder}/ckpt-30")


def test_a_large_tensor_is_checked_by_size(folder, monkeypatch):
    monkeypatch.setattr(intact, "_LARGEST_READ", 1000)
    os.truncate(data(folder, 30), 3000)
    assert intact.damage(f"{folder}/ckpt-30") == f"{data(folder, 30)} is cut off."


def test_a_saver_continues_from_the_whole_one(folder):
    os.truncate(data(folder, 30), 3)
    intact.settle(folder)
    assert os.path.basename(tf.train.latest_checkpoint(folder)) == "ckpt-20"
    assert [os.path.basename(path) for path in rotation.paths_in(folder)] == ["ckpt-10", "ckpt-20"]
    assert os.path.exists(data(folder, 30))


def test_a_saver_gets_back_a_damaged_list(folder):
    with open(os.path.join(folder, "checkpoint"), "wb") as file:
        file.write(b"\xff")
    intact.settle(folder)
    assert os.path.basename(tf.train.latest_checkpoint(folder)) == "ckpt-30"


def test_nothing_is_written_for_whole_checkpoints(folder):
    before = os.stat(os.path.join(folder, "checkpoint")).st_mtime_ns
    intact.settle(folder)
    assert os.stat(os.path.join(folder, "checkpoint")).st_mtime_ns == before


def test_a_deleted_one_is_lost_without_a_message(folder, caplog):
    rotation.keep_latest(folder, 2)
    assert intact.is_lost(f"{folder}/ckpt-10")
    assert not caplog.records


def test_a_damaged_one_is_lost_with_a_message(folder, caplog):
    os.truncate(data(folder, 30), 3)
    assert intact.is_lost(f"{folder}/ckpt-30")
    assert "is left out" in caplog.text
    assert not intact.is_lost(f"{folder}/ckpt-20")


def test_a_few_bytes_are_cut_off(tmp_path):
    # The file also has the graph of objects, so it is still longer than all numbers together.
    path = tf.train.Checkpoint(x=tf.Variable([1.0, 2.0])).write(str(tmp_path / "ckpt-1"))
    data = f"{path}.data-00000-of-00001"
    os.truncate(data, os.path.getsize(data) - 2)
    assert f"{data} is damaged" in intact.damage(path)
