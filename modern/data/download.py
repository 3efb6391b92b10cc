"""Downloads of data sets by Keras, with an error message that names the alternatives.

    from modern.data import download

    mnist = download.load("mnist", image_shape=(28, 28), expected="mnist.npz")

Keras caches the download (in `~/.keras/datasets`, or below `KERAS_HOME`), so it happens once.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Iterator

from modern.data.arrays import ArrayDataset, DataError, check_images, check_labels

_HERE = pathlib.Path(__file__).parent


def load(name: str, image_shape: tuple[int, ...], expected: str) -> ArrayDataset:
    """Loads a data set by `keras.datasets`, which verifies its downloads.

    Args:
      name: The module of `keras.datasets`.
      image_shape: The shape of one image.
      expected: The files that a folder would need instead, in words, for the message.

    Returns:
      The data set.

    Raises:
      DataError: The download failed, for any reason.
    """
    # Takes seconds, and only a download needs it.
    from modern.process.chosen_keras import keras

    try:
        with one_at_a_time():
            train, test = getattr(keras.datasets, name).load_data()
    # Keras raises plain Exception if the download fails, and others if the disk or the file fails.
    except Exception as error:
        raise DataError(
            f"data set {name!r}: the download failed ({error}). Where there is no network, put "
            f"{expected} in a folder and give it as --data_dir, or choose the data set digits, "
            "which needs neither"
        ) from error
    source = f"Keras' copy of {name}"
    return ArrayDataset(
        name,
        check_images(train[0], image_shape, source),
        check_labels(train[1], len(train[0]), source),
        check_images(test[0], image_shape, source),
        check_labels(test[1], len(test[0]), source),
    )


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Lets one process of this machine in at a time.

    The tasks of a local cluster start together. Keras downloads straight to the final file, so the
    other tasks would read it half-written. Where file locks are not supported (Windows, some
    network file systems), all tasks enter.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    # The folder of this package serves as the lock file. Closing it releases the lock.
    descriptor = os.open(_HERE, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
