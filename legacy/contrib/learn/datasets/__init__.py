"""contrib.learn.datasets: CSV files and MNIST as NumPy arrays.

train = datasets.base.load_csv_with_header(
    "iris_training.csv", target_dtype=np.int64, features_dtype=np.float32
)
"""

from legacy.contrib import _missing
from legacy.contrib.learn.datasets import base, mnist

__getattr__ = _missing.attribute_of("learn.datasets")

__all__ = ["base", "mnist"]
