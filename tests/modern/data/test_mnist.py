"""Tests for MNIST, with files that the tests write."""

import gzip
import struct

import numpy as np
import pytest

from modern.data import mnist
from modern.data.arrays import DataError

NAMES = {
    "x_train": "train-images-idx3-ubyte",
    "y_train": "train-labels-idx1-ubyte",
    "x_test": "t10k-images-idx3-ubyte",
    "y_test": "t10k-labels-idx1-ubyte",
}


def arrays():
    rng = np.random.default_rng(0)
    return {
        "x_train": rng.integers(0, 256, (20, 28, 28), np.uint8),
        "y_train": (np.arange(20) % 10).astype(np.uint8),
        "x_test": rng.integers(0, 256, (5, 28, 28), np.uint8),
        "y_test": np.array([5, 0, 4, 1, 9], np.uint8),
    }


def encode(array):
    header = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
    return header + array.tobytes()


def write_idx(folder, dot=False, pack=False, **changes):
    for key, array in (arrays() | changes).items():
        name = NAMES[key].replace("-idx", ".idx") if dot else NAMES[key]
        content = encode(array)
        path = folder / (name + ".gz" if pack else name)
        path.write_bytes(gzip.compress(content) if pack else content)


def check_is_what_was_written(dataset):
    for attribute, key in (
        ("train_features", "x_train"),
        ("train_labels", "y_train"),
        ("test_features", "x_test"),
        ("test_labels", "y_test"),
    ):
        np.testing.assert_array_equal(getattr(dataset, attribute), arrays()[key])
    assert dataset.train_labels.dtype == np.int64
    assert dataset.name == "mnist"


@pytest.mark.parametrize("dot", [False, True])
@pytest.mark.parametrize("pack", [False, True])
def test_idx(tmp_path, dot, pack):
    write_idx(tmp_path, dot, pack)
    check_is_what_was_written(mnist.load(str(tmp_path)))


def test_idx_half_gzipped(tmp_path):
    write_idx(tmp_path)
    images = tmp_path / NAMES["x_train"]
    images.with_name(images.name + ".gz").write_bytes(gzip.compress(images.read_bytes()))
    images.unlink()
    check_is_what_was_written(mnist.load(str(tmp_path)))


def test_npz_goes_before_idx(tmp_path):
    np.savez(tmp_path / "mnist.npz", **arrays())
    write_idx(tmp_path, y_test=np.zeros(5, np.uint8))
    check_is_what_was_written(mnist.load(str(tmp_path)))


def test_no_file(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(DataError, match=r"'mnist'. Found notes\.txt, expected mnist\.npz, or the "):
        mnist.load(str(tmp_path))


def test_one_file_missing(tmp_path):
    write_idx(tmp_path, pack=True)
    (tmp_path / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(DataError, match=r"expected all four .*. Add t10k-labels-idx1-ubyte \(gzip"):
        mnist.load(str(tmp_path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"x_test": np.zeros((5, 28, 29), np.uint8)},
            r"t10k-images.*shape \(5, 28, 29\), exp",
        ),
        ({"x_train": np.zeros((0, 28, 28), np.uint8)}, "train-images.*found no image"),
        ({"y_train": np.zeros(19, np.uint8)}, "train-labels.*found 19 labels for 20 images"),
        ({"y_test": np.full(5, 255, np.uint8)}, "t10k-labels.*found labels from 255 to 255"),
        ({"y_test": arrays()["x_test"]}, "t10k-labels.*magic number 00000803, expected 00000801"),
    ],
)
def test_idx_with_other_content(tmp_path, changes, message):
    write_idx(tmp_path, **changes)
    with pytest.raises(DataError, match=message):
        mnist.load(str(tmp_path))


@pytest.mark.parametrize("pack", [False, True])
def test_truncated_idx(tmp_path, pack):
    write_idx(tmp_path, pack=pack)
    path = next(tmp_path.glob("train-images*"))
    path.write_bytes(path.read_bytes()[:-100])
    message = "cut short" if pack else r"found 15580 bytes of values, expected 15680"
    with pytest.raises(DataError, match=f"train-images.*{message}.*Fetch the file again"):
        mnist.load(str(tmp_path))
