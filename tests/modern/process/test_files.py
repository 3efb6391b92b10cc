"""Tests of local and remote files that are complete at any moment."""

import os

import pytest
import tensorflow as tf

from modern.process import cli, files


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "deep" / "report.txt"
    files.write_text(path, "old")
    files.write_text(path, "new")
    assert path.read_text() == "new"
    assert os.listdir(path.parent) == ["report.txt"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        files.write_text(path, "half \ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.txt"]


@pytest.fixture(params=["local", "remote"])
def folder(request, tmp_path):
    """Returns an empty folder: a local one, or a remote one in this process."""
    if request.param == "local":
        return str(tmp_path)
    return f"ram://{tmp_path.name}"


def test_files_are_written_listed_read_and_removed(folder):
    path = os.path.join(folder, "a", "b.json")
    assert not files.exists(path)
    assert files.list_folder(os.path.join(folder, "a")) == []
    files.write_text(path, "old and long")
    files.write_text(path, "new ä")
    files.write_bytes(os.path.join(folder, "a", "c"), b"\xff")
    assert files.read_text(path) == "new ä"
    assert files.read_bytes(os.path.join(folder, "a", "c")) == b"\xff"
    assert files.size(path) == 6
    assert files.is_file(path)
    assert not files.is_folder(path)
    assert files.is_folder(os.path.join(folder, "a"))
    assert files.list_folder(os.path.join(folder, "a")) == ["b.json", "c"]
    files.remove(path)
    files.remove(path)
    with pytest.raises(FileNotFoundError):
        files.read_text(path)
    files.remove_tree(os.path.join(folder, "a"))
    files.remove_tree(os.path.join(folder, "a"))
    assert files.list_folder(folder) == []


def test_a_folder_is_copied_and_moved_with_its_folders(folder, tmp_path):
    source = tmp_path / "source"
    files.write_text(source / "one", "1")
    files.write_text(source / "deep" / "two", "2")
    files.write_text(source / "left_out", "3")
    copied, moved = os.path.join(folder, "copied"), os.path.join(folder, "moved")
    files.copy_tree(str(source), copied, left_out=["left_out"])
    files.move_folder(copied, moved, last="one")
    assert files.list_folder(moved) == ["deep", "one"]
    assert files.read_text(os.path.join(moved, "deep", "two")) == "2"
    files.remove_tree(copied)
    assert "copied" not in files.list_folder(folder)
    with pytest.raises(OSError, match="moved"):
        files.move_folder(str(source), moved, last="one")


def test_absolute_keeps_urls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert files.absolute("gs://bucket/m/") == "gs://bucket/m"
    assert files.absolute("m") == str(tmp_path / "m")
    assert files.absolute(f"file://{tmp_path}/m") == str(tmp_path / "m")
    assert files.absolute("~") == os.path.expanduser("~")


def test_only_urls_are_remote(tmp_path):
    assert files.is_remote("gs://bucket/m")
    assert files.is_remote("s3a://bucket/m")
    assert not files.is_remote(tmp_path)
    assert not files.is_remote("gs:/bucket/m")


def test_a_scheme_without_a_file_system_is_refused():
    files.check_scheme("/local")
    files.check_scheme("ram://m")
    with pytest.raises(
        cli.UsageError, match=r"s3://b/m cannot be read .* no file system for s3://"
    ):
        files.check_scheme("s3://b/m")


def test_a_failed_write_to_a_remote_folder_is_an_os_error():
    with pytest.raises(OSError, match="not implemented"):
        files.write_text("s3://bucket/m", "text")


def test_a_remote_file_that_has_grown_is_read_whole():
    """The reader must not use the size of the file, which may be an old one."""
    files.write_text("ram://grown/file", "a" * (1 << 20) + "b")
    with tf.io.gfile.GFile("ram://grown/file", "rb") as file:
        assert file.size() == (1 << 20) + 1
    assert files.read_text("ram://grown/file").endswith("ab")


def test_writers_of_the_same_remote_file_do_not_mix(monkeypatch):
    path = "ram://writers/file"
    rename = tf.io.gfile.rename

    def rename_late(*args, **options):
        monkeypatch.setattr(tf.io.gfile, "rename", rename)
        files.write_text(path, "a longer text of another writer")
        rename(*args, **options)

    monkeypatch.setattr(tf.io.gfile, "rename", rename_late)
    files.write_text(path, "ours")
    assert files.read_text(path) == "ours"
    assert files.list_folder("ram://writers") == ["file"]


def test_a_failed_write_of_a_remote_file_leaves_the_old_one(monkeypatch):
    path = "ram://failing/file"
    files.write_text(path, "old")

    def fail(*args, **options):
        raise tf.errors.UnavailableError(None, None, "away")

    monkeypatch.setattr(tf.io.gfile, "rename", fail)
    with pytest.raises(OSError, match="away"):
        files.write_text(path, "new")
    assert files.list_folder("ram://failing") == ["file"]
    assert files.read_text(path) == "old"
