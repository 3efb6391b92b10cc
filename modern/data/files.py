"""Reads the files of a user's data folder without trusting them.

>>> folder_of("mnist", "/no/such/folder", "mnist.npz")
Traceback (most recent call last):
...
modern.data.arrays.DataError: --data_dir=/no/such/folder: no such folder. Expected one with \
mnist.npz
"""

from __future__ import annotations

import gzip
import math
import os
import pathlib
import warnings
import zipfile
import zlib
from collections.abc import Iterable

import numpy as np

from modern.data.arrays import ArrayDataset, DataError, check_images, check_labels
from modern.process import foreign_files

KEYS = ("x_train", "y_train", "x_test", "y_test")
# The largest file of these data sets has 154 MB. A small file that unpacks to more is an attack.
MOST_BYTES = 256 << 20
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
    folder = os.path.expanduser(data_dir)
    if os.path.isdir(folder):
        return pathlib.Path(folder)
    problem = "a file, not a folder" if os.path.exists(folder) else "no such folder"
    raise DataError(f"--data_dir={data_dir}: {problem}. Expected one with {expected}")


def no_files_error(name: str, folder: pathlib.Path, expected: str) -> DataError:
    """Returns the error for a folder without files of the data set, with the names of its files."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        return DataError(f"--data_dir={folder}: the folder cannot be read: {error.strerror}")
    return DataError(
        f"--data_dir={folder}: no file of the data set {name!r}. Found {short_list(names)}, "
        f"expected {expected}. Name the folder that holds it, or leave --data_dir out to download"
    )


def short_list(names: Iterable[object]) -> str:
    """Returns the first names of a file or a folder, in one line."""
    texts = [foreign_files.one_line(name, 60) for name in names]
    return ", ".join(texts[:5]) + (f" and {len(texts) - 5} more" if len(texts) > 5 else "") or (
        "nothing"
    )


def read_bytes(path: pathlib.Path) -> bytes:
    """Returns the content of a file, unpacked if it is gzipped. Its name does not matter.

    Args:
      path: The file.

    Returns:
      The content.

    Raises:
      DataError: The file cannot be read, its gzip stream is cut short or damaged, or the content
        has more than `MOST_BYTES`.
    """
    try:
        with foreign_files.opened(path) as file:
            is_packed = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            file.seek(0)
            if not is_packed:
                return foreign_files.read_all(file, MOST_BYTES)
            with gzip.GzipFile(fileobj=file) as stream:
                return foreign_files.read_all(stream, MOST_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise damage_error(path, error) from error


def damage_error(path: pathlib.Path | str, error: Exception | str) -> DataError:
    """Returns the error for a file that cannot be read to its end."""
    reason = foreign_files.reason(error) if isinstance(error, Exception) else error
    return DataError(f"{path}: cut short, damaged or unreadable ({reason}). Fetch the file again")


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
    try:
        with foreign_files.opened(path) as file:
            if not zipfile.is_zipfile(file):
                raise damage_error(path, "not a whole npz, which is a zip file")
            with zipfile.ZipFile(file) as archive, warnings.catch_warnings():
                # NumPy warns of headers that Python 2 wrote, and Python of wrong escapes in one.
                warnings.simplefilter("ignore")
                members = {name.removesuffix(".npy"): name for name in archive.namelist()}
                missing = [key for key in KEYS if key not in members]
                if missing:
                    raise DataError(
                        f"{path}: found the keys {short_list(members)}, expected "
                        f"{', '.join(KEYS)}. Missing {', '.join(missing)}. Rename the arrays"
                    )
                return [_read_array(archive, archive.getinfo(members[key])) for key in KEYS]
    except DataError:
        raise
    # A damaged file can raise nearly any exception in zipfile and NumPy. All of them mean the same.
    except Exception as error:
        raise damage_error(path, error) from error


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """Returns an array of an npz. NumPy would allocate the size that a damaged header states."""
    if member.file_size > MOST_BYTES:
        raise ValueError(f"{member.filename} has {member.file_size:,} bytes")
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
        elif version == (2, 0):
            shape, is_fortran, dtype = np.lib.format.read_array_header_2_0(file)
        else:
            raise ValueError(f"{member.filename} has version {version} of the npy format")
        if dtype.hasobject:
            raise ValueError(f"{member.filename} has Python objects, which are not unpickled")
        content = file.read(MOST_BYTES)
    if math.prod(shape) * dtype.itemsize != len(content):
        raise ValueError(
            f"{member.filename} has {len(content):,} bytes, and its header states the shape {shape}"
        )
    return np.frombuffer(content, dtype).reshape(shape, order="F" if is_fortran else "C")
