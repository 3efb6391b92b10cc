"""Tests of datasets by name."""

import pytest

from legacy.contrib.learn import datasets
from tests.legacy.contrib.learn.datasets.mnist_files import write_mnist


def test_mnist_and_iris_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MNIST-data").mkdir()
    write_mnist(tmp_path / "MNIST-data", 5010, 3)
    data = datasets.load_dataset("mnist")
    assert [len(part.images) for part in data] == [10, 5000, 3]
    pytest.importorskip("sklearn")
    iris = datasets.load_dataset("iris")
    assert (iris.data.shape, iris.data.dtype, iris.target.dtype.kind) == ((150, 4), "float64", "i")


def test_a_data_set_that_is_not_there():
    with pytest.raises(ValueError, match="Name of dataset is not found: cifar"):
        datasets.load_dataset("cifar")
    with pytest.raises(NotImplementedError, match="give load_boston a data_path"):
        datasets.load_dataset("boston")
