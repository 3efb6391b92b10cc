"""Tests for reading a user's files: folders, gzip, npz."""

import gzip
import io

import numpy as np
import pytest

from modern.data import files
from modern.data.arrays import DataError

SHAPE = (4, 4)


def arrays():
    rng = np.random.default_rng(0)
    return {
        "x_train": rng.integers(0, 256, (6, *SHAPE), np.uint8),
        "y_train": np.array([0, 1, 2, 7, 8, 9], np.uint8),
        "x_test": rng.integers(0, 256, (2, *SHAPE), np.uint8),
        "y_test": np.array([[3], [4]], np.int64),
    }


def write_npz(path, **changes):
    content = {key: value for key, value in (arrays() | changes).items() if value is not None}
    np.savez(path, **content)
    return path


def test_folder(tmp_path, monkeypatch):
    assert files.folder_of("mnist", str(tmp_path), "x") == tmp_path
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.folder_of("mnist", "~", "x") == tmp_path


def test_a_file_is_not_a_folder(tmp_path):
    path = tmp_path / "mnist.npz"
    path.touch()
    with pytest.raises(DataError, match=r"--data_dir=.*mnist\.npz: a file, not a folder. Expected"):
        files.folder_of("mnist", str(path), "x")


def test_nothing_found_names_what_is_there(tmp_path):
    assert "Found nothing, expected x" in str(files.no_files_error("mnist", tmp_path, "x"))
    for number in range(7):
        (tmp_path / f"{number}.csv").touch()
    message = str(files.no_files_error("mnist", tmp_path, "x"))
    assert "Found 0.csv, 1.csv, 2.csv, 3.csv, 4.csv and 2 more, expected x" in message


def test_read_bytes_goes_by_the_content(tmp_path):
    plain, packed = tmp_path / "plain.gz", tmp_path / "packed"
    plain.write_bytes(b"abc")
    packed.write_bytes(gzip.compress(b"abc"))
    assert files.read_bytes(plain) == files.read_bytes(packed) == b"abc"


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[:-9],  # The end of the stream and the checksum.
        lambda packed: packed[:5],  # Part of the header.
        lambda packed: packed[:-8] + b"12345678",  # Another checksum.
        lambda packed: packed[:12] + b"\xff" * 20 + packed[32:],
    ],
)
def test_damaged_gzip(tmp_path, damage):
    path = tmp_path / "images.gz"
    path.write_bytes(damage(gzip.compress(bytes(range(256)) * 8)))
    with pytest.raises(DataError, match=r"images\.gz: cut short, damaged or unreadable .*Fetch"):
        files.read_bytes(path)


def test_read_npz(tmp_path):
    path = write_npz(tmp_path / "mnist.npz", extra=np.zeros(3))
    dataset = files.read_npz("mnist", path, SHAPE)
    np.testing.assert_array_equal(dataset.train_features, arrays()["x_train"])
    np.testing.assert_array_equal(dataset.test_features, arrays()["x_test"])
    assert dataset.train_labels.tolist() == [0, 1, 2, 7, 8, 9]
    assert dataset.test_labels.tolist() == [3, 4]
    assert dataset.name == "mnist"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y_test": None}, r"found the keys x_train, y_train, x_test, expected .*Missing y_test"),
        (
            {"x_train": np.zeros((6, 4), np.uint8)},
            r"npz\[x_train\]: found images of shape \(6, 4\)",
        ),
        ({"x_test": np.zeros((2, *SHAPE))}, r"npz\[x_test\]: found images of dtype float64"),
        ({"y_train": np.zeros(5, int)}, r"npz\[y_train\]: found 5 labels for 6 images"),
        ({"y_test": np.array([3, 10])}, r"npz\[y_test\]: found labels from 3 to 10"),
        ({"y_test": np.array([{}, 1], object)}, r"npz: cut short, damaged or unreadable"),
    ],
)
def test_npz_with_other_content(tmp_path, changes, message):
    path = write_npz(tmp_path / "mnist.npz", **changes)
    with pytest.raises(DataError, match=message):
        files.read_npz("mnist", path, SHAPE)


def plain_npy():
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"NUMPY", b"NUMPI"),
        lambda content: content.replace(b"|u1", b"|i1"),  # The checksum no longer holds.
        lambda content: plain_npy(),
        lambda content: b"<html>Not found</html>",
    ],
)
def test_damaged_npz(tmp_path, damage):
    path = write_npz(tmp_path / "mnist.npz")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match=r"mnist\.npz: cut short, damaged or unreadable .*Fetch"):
        files.read_npz("mnist", path, SHAPE)


def test_npz_that_is_a_folder(tmp_path):
    (tmp_path / "mnist.npz").mkdir()
    with pytest.raises(DataError, match="cut short, damaged or unreadable"):
        files.read_npz("mnist", tmp_path / "mnist.npz", SHAPE)
