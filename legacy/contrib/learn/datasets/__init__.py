"""contrib.learn.datasets: CSV files, iris, MNIST and DBpedia as NumPy arrays.

train = datasets.base.load_csv_with_header(
    "iris_training.csv", target_dtype=np.int64, features_dtype=np.float32
)
mnist = datasets.load_dataset("mnist")
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
    """Reads a data set by its name.

    Args:
      name: "iris", "boston", "mnist" or "dbpedia".
      size: Of dbpedia, see `load_dbpedia`.
      test_with_fake_data: Of dbpedia, see `load_dbpedia`.

    Returns:
      `Dataset` for iris and boston, `Datasets` for the others.

    Raises:
      ValueError: There is no such data set.
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
