"""contrib.learn.datasets: CSV files, iris, MNIST and DBpedia as NumPy arrays.

    train = datasets.base.load_csv_with_header(
        "iris_training.csv", target_dtype=np.int64, features_dtype=np.float32
    )
    mnist = datasets.load_dataset("mnist")

Files in reading order:
base           reads CSV files, iris and Boston, and downloads files
mnist          reads MNIST and serves it batch by batch
text_datasets  downloads and reads DBpedia
"""

from __future__ import annotations

from legacy.contrib import _missing
from legacy.contrib.learn.datasets import base, mnist, text_datasets
from legacy.contrib.learn.datasets.base import load_boston, load_iris

DATASETS = {
    "iris": load_iris,
    "boston": load_boston,
    "mnist": mnist.load_mnist,
    "dbpedia": text_datasets.load_dbpedia,
}


def load_dataset(
    name: str, size: str = "small", test_with_fake_data: bool = False
) -> base.Dataset | base.Datasets:
    """Reads a dataset by its name.

    Args:
      name: "iris", "boston", "mnist" or "dbpedia".
      size: Size of dbpedia. See `load_dbpedia`.
      test_with_fake_data: If true, reads no files of dbpedia. See `load_dbpedia`.

    Returns:
      `Dataset` for iris and boston, `Datasets` for the others.

    Raises:
      ValueError: The dataset does not exist.
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    if name == "dbpedia":
        return DATASETS[name](size, test_with_fake_data)
    return DATASETS[name]()


__getattr__ = _missing.attribute_of("learn.datasets")

__all__ = [
    "DATASETS",
    "base",
    "load_boston",
    "load_dataset",
    "load_iris",
    "mnist",
    "text_datasets",
]
