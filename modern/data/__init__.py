"""The data sets that the jobs train on, as NumPy arrays.

`load` returns an image data set in the shape that a job's model takes. `load_regression` returns
generated data for the smallest job, `load_table` data for the wide and deep model, `load_ids` data
for the sparse embeddings. `digits` is part of this package, so the first run needs no file and no
network:

    >>> from modern import data
    >>> digits = data.load("digits", image_shape=(28, 28))
    >>> digits.train_features.shape, digits.train_features.dtype
    ((1287, 28, 28), dtype('uint8'))
    >>> digits.test_labels.shape, digits.test_labels.dtype
    ((510,), dtype('int64'))

Reading data does not import TensorFlow, except when Keras downloads a data set.
`modern.data.pipeline` makes a `tf.data` pipeline of the arrays.

Files in reading order:
arrays             defines a data set and checks arrays from a user's files
pipeline           shuffles, repeats and batches arrays, and gives each trainer its share
digits             loads the UCI optical digits, which are part of this package
mnist              loads MNIST from a folder or by Keras' download
cifar10            loads CIFAR-10 from a folder or by Keras' download
synthetic          generates images of ten classes, in any shape
linear             generates points on a known line
adult              loads UCI's Adult (census data of 1994) and defines its columns
clicks             generates a click log in Adult's columns
impressions        generates a click log with columns of ids
images             converts images to the shape that a model takes
files              reads the files of a user's data folder
download           downloads data sets with Keras
idx                reads the IDX format of MNIST
restricted_pickle  reads the pickles of CIFAR-10 without running their code
"""

from __future__ import annotations

from modern.data import (
    adult,
    cifar10,
    clicks,
    digits,
    images,
    impressions,
    linear,
    mnist,
    synthetic,
)
from modern.data.arrays import ArrayDataset, DataError

__all__ = [
    "NAMES",
    "ArrayDataset",
    "DataError",
    "load",
    "load_ids",
    "load_regression",
    "load_table",
]

NAMES: tuple[str, ...] = ("digits", "mnist", "cifar10", "synthetic")


def load(
    name: str, data_dir: str | None = None, *, image_shape: tuple[int, ...], seed: int = 0
) -> ArrayDataset:
    """Returns an image data set in the shape that a model takes.

    | data set | is | becomes (28, 28) by | becomes (32, 32, 3) by |
    | --- | --- | --- | --- |
    | digits | 8×8 grey, 0..16 | bilinear resizing, 0..255 | the same, grey in each channel |
    | mnist | 28×28 grey | no change | 2 black pixels on each side, grey in each channel |
    | cifar10 | 32×32×3 | DataError | no change |
    | synthetic | generated in any shape | no change | no change |

    Args:
      name: One of `NAMES`.
      data_dir: The folder with the files of `mnist` or `cifar10`. None for the other two, which
        have no files. If None for `mnist` or `cifar10`, Keras downloads the files to its cache.
      image_shape: (height, width) for grey images, or (height, width, channels).
      seed: The seed that generates `synthetic`. The other data sets do not depend on it.

    Returns:
      The data set: features uint8 of shape (N, *image_shape), labels int64 of shape (N,), 0 to 9.
      No image of `digits` or `synthetic` is in both splits. The splits of `mnist` and `cifar10` are
      those of their files.

    Raises:
      DataError: The name is unknown, the data set cannot take the shape, a folder or file is
        missing, damaged or of another data set, or the download failed.
    """
    images.check_shape(image_shape)
    if name not in NAMES:
        raise DataError(f"unknown data set {name!r}. Choose one of {', '.join(NAMES)}")
    if name in ("mnist", "cifar10"):
        reader = mnist if name == "mnist" else cifar10
        images.check_fits(name, reader.IMAGE_SHAPE, image_shape)
        return images.adapt(reader.load(data_dir), image_shape)
    if data_dir:
        raise DataError(
            f"--data_dir={data_dir}: the data set {name!r} reads no files. Leave --data_dir out, "
            "or choose mnist or cifar10"
        )
    if name == "digits":
        height, width = image_shape[:2]
        return images.adapt(digits.load((height, width)), image_shape)
    return synthetic.load(image_shape, seed=seed)


def load_regression(name: str = "synthetic", *, seed: int = 0) -> ArrayDataset:
    """Returns the data set of the linear regression.

    Args:
      name: The only name is `synthetic`.
      seed: The seed of the examples. The line itself is `linear.WEIGHTS`, `linear.BIAS`.

    Returns:
      The data set: features float32 (N, 10), labels float32 (N, 1), where N is 4096 and 512.

    Raises:
      DataError: The name is another one.
    """
    if name != "synthetic":
        raise DataError(
            f"unknown data set {name!r} for a regression. There is one, named synthetic "
            f"({', '.join(n for n in NAMES if n != 'synthetic')} are for image jobs)"
        )
    return linear.regression(seed)


def load_table(name: str, data_dir: str | None = None, *, seed: int = 0) -> ArrayDataset:
    """Returns a data set of the wide and deep model: columns, and a label of 0 or 1.

    Args:
      name: `clicks`, generated and with a known best AUC, or `adult`, from UCI.
      data_dir: The folder with the files of `adult`.
      seed: The seed of the examples of `clicks`.

    Returns:
      The data set: features a dict of the columns in `adult.NUMERIC` (float32) and `adult.TEXT`
      (bytes), each (N,), and labels float32 (N, 1).

    Raises:
      DataError: The name is another one, files of `adult` are missing or damaged, or `clicks` has a
        folder.
    """
    if name == "adult":
        return adult.load(data_dir)
    if name != "clicks":
        raise DataError(f"unknown data set {name!r} for a table. Choose clicks or adult")
    if data_dir:
        raise DataError(
            f"--data_dir={data_dir}: the data set 'clicks' reads no files. Leave --data_dir out, "
            "or choose adult"
        )
    return clicks.clicks(seed)


def load_ids(name: str, data_dir: str | None = None, *, seed: int = 0) -> ArrayDataset:
    """Returns the data set of the sparse embeddings: columns of ids, and a label of 0 or 1.

    Args:
      name: The only name is `impressions`.
      data_dir: None, because it has no files.
      seed: The seed of the examples.

    Returns:
      The data set: features a dict of the columns in `impressions.COLUMNS` (int64), each (N,), and
      labels float32 (N, 1).

    Raises:
      DataError: The name is another one, or there is a folder.
    """
    if name != "impressions":
        raise DataError(f"unknown data set {name!r} of ids. There is one, named impressions")
    if data_dir:
        raise DataError(
            f"--data_dir={data_dir}: the data set 'impressions' reads no files. Leave --data_dir "
            "out"
        )
    return impressions.impressions(seed)
