"""MNIST, from a folder or by Keras' download.

    >>> load("/no/such/folder")
    Traceback (most recent call last):
    ...
    modern.data.arrays.DataError: --data_dir=/no/such/folder: no such folder. Expected one with \
mnist.npz, or the four IDX files (train-images-idx3-ubyte and so on, gzipped or not)

LeCun, Cortes, Burges: 28×28 grey images of ten digits, 60,000 for training and 10,000 for testing.
Files with fewer images can be read, too.
"""

from __future__ import annotations

import pathlib

import numpy as np

from modern.data import download, files, idx
from modern.data.arrays import ArrayDataset, DataError, check_images, check_labels

IMAGE_SHAPE = (28, 28)
_EXPECTED = "mnist.npz, or the four IDX files (train-images-idx3-ubyte and so on, gzipped or not)"
_IDX_STEMS = ("train-images", "train-labels", "t10k-images", "t10k-labels")


def load(data_dir: str | None = None) -> ArrayDataset:
    """Reads MNIST.

    Args:
      data_dir: A folder with Keras' `mnist.npz`, which is preferred, or with the four IDX files
        under their published names (also with a dot before `idx`), gzipped or not. If None,
        `tf_keras.datasets.mnist` downloads to Keras' cache.

    Returns:
      The data set: features uint8 (N, 28, 28), labels int64 (N,).

    Raises:
      DataError: The folder is missing or has no files of MNIST, files are damaged or of another
        data set, or the download failed.
    """
    if not data_dir:
        return download.load("mnist", IMAGE_SHAPE, _EXPECTED)
    folder = files.folder_of("mnist", data_dir, _EXPECTED)
    npz = folder / "mnist.npz"
    if npz.exists():
        return files.read_npz("mnist", npz, IMAGE_SHAPE)
    paths = {stem: path for stem in _IDX_STEMS if (path := _find_idx(folder, stem))}
    if not paths:
        raise files.no_files_error("mnist", folder, _EXPECTED)
    missing = [_idx_name(stem) for stem in _IDX_STEMS if stem not in paths]
    if missing:
        raise DataError(
            f"--data_dir={folder}: found {', '.join(path.name for path in paths.values())}, "
            f"expected all four IDX files. Add {', '.join(missing)} (gzipped or not)"
        )
    train_images = _read_images(paths["train-images"])
    test_images = _read_images(paths["t10k-images"])
    return ArrayDataset(
        "mnist",
        train_images,
        _read_labels(paths["train-labels"], len(train_images)),
        test_images,
        _read_labels(paths["t10k-labels"], len(test_images)),
    )


def _idx_name(stem: str) -> str:
    return f"{stem}-idx{3 if stem.endswith('images') else 1}-ubyte"


def _find_idx(folder: pathlib.Path, stem: str) -> pathlib.Path | None:
    name = _idx_name(stem)
    spellings = (name, name.replace("-idx", ".idx"))
    candidates = [folder / (spelling + ending) for spelling in spellings for ending in ("", ".gz")]
    return next((path for path in candidates if path.is_file()), None)


def _read_images(path: pathlib.Path) -> np.ndarray:
    images = idx.decode(files.read_bytes(path), dimensions=3, source=str(path))
    return check_images(images, IMAGE_SHAPE, str(path))


def _read_labels(path: pathlib.Path, count: int) -> np.ndarray:
    labels = idx.decode(files.read_bytes(path), dimensions=1, source=str(path))
    return check_labels(labels, count, str(path))
