"""CIFAR-10, from a folder or by Keras' download.

    >>> load("/no/such/folder")
    Traceback (most recent call last):
    ...
    modern.data.arrays.DataError: --data_dir=/no/such/folder: no such folder. Expected one with \
cifar-10-python.tar.gz, the folder cifar-10-batches-py, or cifar10.npz

Krizhevsky (2009), https://www.cs.toronto.edu/~kriz/cifar.html: 32×32 colour images of ten classes,
50,000 for training and 10,000 for testing. Files with fewer images can be read, too.
"""

from __future__ import annotations

import gzip
import io
import pathlib
import tarfile

import numpy as np

from modern.data import download, files, restricted_pickle
from modern.data.arrays import ArrayDataset, DataError, check_images, check_labels
from modern.process import foreign_files

IMAGE_SHAPE = (32, 32, 3)
_EXPECTED = "cifar-10-python.tar.gz, the folder cifar-10-batches-py, or cifar10.npz"
_BATCHES_DIR = "cifar-10-batches-py"
_TRAIN_BATCHES = tuple(f"data_batch_{number}" for number in range(1, 6))
_BATCHES = (*_TRAIN_BATCHES, "test_batch")
_ROW = 3 * 32 * 32
# The six batches of the real archive have 186 MB.
_MOST_BYTES = 1 << 30


def load(data_dir: str | None = None) -> ArrayDataset:
    """Reads CIFAR-10.

    Args:
      data_dir: A folder with one of these, in order of preference: `cifar10.npz` (the keys of
        Keras' `mnist.npz`, images (N, 32, 32, 3)), the folder `cifar-10-batches-py` (or that folder
        itself), or the "python version" archive `cifar-10-python.tar.gz`, which is read in place
        and not unpacked to disk. If None, `tf_keras.datasets.cifar10` downloads to Keras' cache.

    Returns:
      The data set: features uint8 (N, 32, 32, 3), labels int64 (N,).

    Raises:
      DataError: The folder is missing or has no files of CIFAR-10, files are damaged or of another
        data set, or the download failed.
    """
    if not data_dir:
        return download.load("cifar10", IMAGE_SHAPE, _EXPECTED)
    folder = files.folder_of("cifar10", data_dir, _EXPECTED)
    npz, archive = folder / "cifar10.npz", folder / "cifar-10-python.tar.gz"
    if npz.exists():
        return files.read_npz("cifar10", npz, IMAGE_SHAPE)
    batches_dir = folder if folder.name == _BATCHES_DIR else folder / _BATCHES_DIR
    if batches_dir.is_dir():
        return _join(_read_folder(batches_dir), batches_dir)
    if archive.exists():
        return _join(_read_archive(archive), archive)
    raise files.no_files_error("cifar10", folder, _EXPECTED)


def _read_folder(folder: pathlib.Path) -> dict[str, bytes]:
    return {name: files.read_bytes(folder / name) for name in _BATCHES if (folder / name).is_file()}


def _read_archive(path: pathlib.Path) -> dict[str, bytes]:
    names = {f"{_BATCHES_DIR}/{name}": name for name in _BATCHES}
    contents = {}
    try:
        with (
            foreign_files.opened(path) as raw_file,
            _BoundedGzipFile(fileobj=raw_file) as stream,
            tarfile.open(fileobj=stream, mode="r:") as archive,
        ):
            for member in archive:
                # Only plain files under the exact names: no link can lead anywhere else.
                if member.isreg() and member.name in names:
                    _check_size(member, path)
                    file = archive.extractfile(member)
                    assert file is not None  # None only for a folder or a device.
                    contents[names[member.name]] = file.read()
            # The checksum is at the end of the file, which tarfile does not read.
            while stream.read(1 << 20):
                pass
    except DataError:
        raise
    # A damaged archive can raise nearly any exception in tarfile. All of them mean the same here.
    except Exception as error:
        raise files.damage_error(path, error) from error
    return contents


class _BoundedGzipFile(gzip.GzipFile):
    """An archive that raises an error when it unpacks to far more than CIFAR-10."""

    def read(self, size: int | None = -1) -> bytes:
        is_bounded = size is not None and 0 <= size <= _MOST_BYTES
        part = super().read(size if is_bounded else _MOST_BYTES)
        if self.tell() > _MOST_BYTES:
            raise ValueError(f"it unpacks to more than {_MOST_BYTES:,} bytes")
        return part

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        # A far place would be reached by unpacking all bytes before it.
        if offset > _MOST_BYTES:
            raise ValueError(f"a member begins at byte {offset:,}")
        return super().seek(offset, whence)


def _check_size(member: tarfile.TarInfo, path: pathlib.Path) -> None:
    if member.size > files.MOST_BYTES:
        raise DataError(
            f"{path}: {member.name} has {member.size} bytes, expected at most {files.MOST_BYTES}. "
            "Fetch the file again"
        )


def _join(contents: dict[str, bytes], path: pathlib.Path) -> ArrayDataset:
    missing = [name for name in _BATCHES if name not in contents]
    if missing:
        raise DataError(
            f"{path}: found {', '.join(contents) or 'no batch'}, expected {', '.join(_BATCHES)}. "
            f"Missing {', '.join(missing)}. Fetch all of the data set again"
        )
    batches = {name: _decode(contents[name], f"{path}: {name}") for name in _BATCHES}
    train = [batches[name] for name in _TRAIN_BATCHES]
    return ArrayDataset(
        "cifar10",
        np.concatenate([images for images, _ in train]),
        np.concatenate([labels for _, labels in train]),
        *batches["test_batch"],
    )


def _decode(content: bytes, source: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns the images and labels of a batch.

    A row has 1,024 red, then 1,024 green, then 1,024 blue values.
    """
    batch = _unpickle(content, source)
    rows, labels = batch.get("data"), batch.get("labels")
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.shape[1] != _ROW:
        actual = rows.shape if isinstance(rows, np.ndarray) else type(rows).__name__
        raise DataError(
            f"{source}: found data {actual}, expected uint8 (N, {_ROW}). Is this CIFAR-10, and its "
            "python version?"
        )
    images = np.ascontiguousarray(rows.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
    if not isinstance(labels, list | np.ndarray):
        raise DataError(
            f"{source}: found the keys {files.short_list(batch)}, expected data and labels. "
            "CIFAR-100 has others, and is another data set"
        )
    # A list of lists could share them, and be far larger as an array than in the file.
    other = next((label for label in labels if type(label) not in (int, np.uint8)), None)
    if other is not None:
        raise DataError(
            f"{source}: found labels of type {type(other).__name__}, expected integers from 0 to 9"
        )
    images = check_images(images, IMAGE_SHAPE, source)
    return images, check_labels(np.asarray(labels), len(images), source)


def _unpickle(content: bytes, source: str) -> dict:
    """Returns a batch as a dict. Python 2 wrote its keys as bytes, Python 3 as str."""
    try:
        batch = restricted_pickle.loads(content)
    except restricted_pickle.NotAllowedError as error:
        raise DataError(
            f"{source}: {error}. Expected a batch of CIFAR-10, which has lists and a uint8 array. "
            "Take the file as it was published"
        ) from error
    # A damaged pickle can fail with nearly any exception. All of them mean the same here.
    except Exception as error:
        raise files.damage_error(source, f"{type(error).__name__}: {error}") from error
    if not isinstance(batch, dict):
        raise DataError(f"{source}: found a {type(batch).__name__}, expected a dict of CIFAR-10")
    return {key.decode("latin1") if isinstance(key, bytes) else key: batch[key] for key in batch}
