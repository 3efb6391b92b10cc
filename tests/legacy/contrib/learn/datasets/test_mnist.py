"""Tests of batches of MNIST."""

import numpy as np
import pytest

from legacy.contrib.learn.datasets import mnist
from tests.legacy.contrib.learn.datasets.mnist_files import write_mnist


def test_batches_go_through_all_examples(tmp_path):
    write_mnist(tmp_path, 20, 10)
    data = mnist.read_data_sets(str(tmp_path), one_hot=True, validation_size=8, seed=1)
    assert [d.num_examples for d in data] == [12, 8, 10]
    assert data.train.images.shape == (12, 784)
    assert data.train.images.max() <= 1.0
    seen = [data.train.next_batch(5)[1].argmax(1) for _ in range(3)]
    assert data.train.epochs_completed == 1
    expected = sorted((np.arange(20) % 10)[8:])
    assert sorted(np.concatenate(seen)[:12]) == expected
    with pytest.raises(ValueError, match="Validation size should be between 0 and 20"):
        mnist.read_data_sets(str(tmp_path), validation_size=21)


@pytest.mark.parametrize("name", ["notes.txt", "mnist.npz"])
def test_a_folder_without_mnist_is_as_none(tmp_path, monkeypatch, name):
    write_mnist(tmp_path, 10, 2)
    (tmp_path / "mnist.npz").rename(tmp_path / name)
    asked = []

    def load(folder):
        asked.append(folder)
        raise error("no download in a test")

    error = mnist.files.DataError
    monkeypatch.setattr(mnist.files, "load", load)
    with pytest.raises(error):
        mnist.read_data_sets(str(tmp_path))
    assert asked == [str(tmp_path) if name == "mnist.npz" else None]


def test_fake_data():
    images, labels = mnist.read_data_sets("", fake_data=True, one_hot=True).train.next_batch(
        2, True
    )
    assert (len(images), len(images[0]), labels[0]) == (2, 784, [1] + [0] * 9)


@pytest.mark.parametrize("reshape", [True, False])
@pytest.mark.parametrize("size", [0, 20])
def test_a_set_may_be_empty(tmp_path, size, reshape):
    write_mnist(tmp_path, 20, 10)
    data = mnist.read_data_sets(str(tmp_path), validation_size=size, reshape=reshape)
    shape = (784,) if reshape else (28, 28, 1)
    assert data.validation.images.shape == (size, *shape)
    assert data.train.images.shape == (20 - size, *shape)
