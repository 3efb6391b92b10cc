"""Reads the files of a user's data folder without trusting them.

>>> folder_of("mnist", "/no/such/folder", "mnist.npz")
Traceback (most recent call last):
...
modern.data.arrays.DataError: --data_dir=/no/such/folder: no such folder. Expected one with \
mnist.npz
"""

from __future__ import annotations

import gzip
import pathlib
import zipfile
import zlib

import numpy as np

from modern.data.arrays import ArrayDataset, DataError, check_images, check_labels

KEYS = ("x_train", "y_train", "x_test", "y_test")
_GZIP_MAGIC = b"\x1f\x8b"


def folder_of(name: str, data_dir: str, expected: str) -> pathlib.Path:
    """Returns the data folder as a path.

    Args:
      name: The name of the data set.
      data_dir: The folder that the user named.
      expected: The files that belong in it, in words.

    Returns:
      The folder, which exists.

    Raises:
      DataError: The folder does not exist, or it is a file.
    """
    folder = pathlib.Path(data_dir).expanduser()
    if folder.is_dir():
        return folder
    found = "a file, not a folder" if folder.exists() else "no such folder"
    raise DataError(f"--data_dir={data_dir}: {found}. Expected one with {expected}")


def nothing_found(name: str, folder: pathlib.Path, expected: str) -> DataError:
    """Returns the error for a folder without files of the data set, with the names of its files."""
    names = sorted(entry.name for entry in folder.iterdir())
    found = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return DataError(
        f"--data_dir={folder}: no file of the data set {name!r}. Found {found or 'nothing'}, "
        f"expected {expected}. Name the folder that holds it, or leave --data_dir out to download"
    )


def read_bytes(path: pathlib.Path) -> bytes:
    """Returns the content of a file. A gzipped file is unpacked, with any name.

    Args:
      path: The file.

    Returns:
      The content.

    Raises:
      DataError: The file cannot be read, or its gzip stream is cut short or damaged.
    """
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if content.startswith(_GZIP_MAGIC) else content
    except (OSError, EOFError, zlib.error) as error:
        raise damaged(path, error) from error


def damaged(path: pathlib.Path | str, error: Exception | str) -> DataError:
    """Returns the error for a file that cannot be read to its end."""
    return DataError(f"{path}: cut short, damaged or unreadable ({error}). Fetch the file again")


def read_npz(name: str, path: pathlib.Path, image_shape: tuple[int, ...]) -> ArrayDataset:
    """Reads an npz file in the layout of Keras' `mnist.npz`, without ever unpickling its content.

    Args:
      name: The name of the data set.
      path: A zip of .npy files with the keys x_train, y_train, x_test, y_test: images uint8 (N,
        *image_shape), labels integers (N,) or (N, 1). Other keys are ignored.
      image_shape: The shape of one image.

    Returns:
      The data set.

    Raises:
      DataError: The file is not an npz or is cut short, a key is missing, or an array has another
        dtype or shape.
    """
    x_train, y_train, x_test, y_test = _read_arrays(path)
    x_train = check_images(x_train, image_shape, f"{path}[x_train]")
    x_test = check_images(x_test, image_shape, f"{path}[x_test]")
    return ArrayDataset(
        name,
        x_train,
        check_labels(y_train, len(x_train), f"{path}[y_train]"),
        x_test,
        check_labels(y_test, len(x_test), f"{path}[y_test]"),
    )


def _read_arrays(path: pathlib.Path) -> list[np.ndarray]:
    # NumPy takes a file that is not a zip for a pickle, and its message would mention pickles.
    if not zipfile.is_zipfile(path):
        raise damaged(path, "not a whole npz, which is a zip file")
    try:
        with np.load(path, allow_pickle=False) as npz:
            missing = [key for key in KEYS if key not in npz.files]
            if missing:
                raise DataError(
                    f"{path}: found the keys {', '.join(npz.files) or 'none'}, expected "
                    f"{', '.join(KEYS)}. Missing {', '.join(missing)}. Rename the arrays"
                )
            return [npz[key] for key in KEYS]
    except DataError:
        raise
    # RuntimeError: the zip is encrypted or uses a compression that Python does not support.
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(path, error) from error
