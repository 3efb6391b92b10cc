"""Tests for `load` and `load_regression`: every data set in every shape, and the errors."""

import doctest
import importlib
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from modern import data

ROOT = pathlib.Path(__file__).resolve().parents[3]
REAL_MNIST = ROOT.parent / "shared" / "data"
MODULES = sorted(path.stem for path in pathlib.Path(data.__file__).parent.glob("[a-z]*.py"))

needs_mnist = pytest.mark.skipif(
    not (REAL_MNIST / "mnist.npz").exists(), reason="no mnist.npz in ../shared/data"
)


def in_both_splits(dataset):
    train = {image.tobytes() for image in dataset.train_features}
    return sum(image.tobytes() in train for image in dataset.test_features)


def check_is_for_a_model(dataset, image_shape):
    for features, labels in (
        (dataset.train_features, dataset.train_labels),
        (dataset.test_features, dataset.test_labels),
    ):
        assert features.dtype == np.uint8
        assert features.shape == (len(labels), *image_shape)
        assert labels.dtype == np.int64
        assert set(labels.tolist()) == set(range(10))
        assert features.max() > 200


@pytest.mark.parametrize("image_shape", [(28, 28), (32, 32, 3), (28, 28, 1)])
@pytest.mark.parametrize("name", ["digits", "synthetic"])
def test_fits_every_model_and_does_not_leak(name, image_shape):
    dataset = data.load(name, image_shape=image_shape)
    assert dataset.name == name
    check_is_for_a_model(dataset, image_shape)
    assert in_both_splits(dataset) == 0


def test_a_leak_would_be_seen():
    dataset = data.load("digits", image_shape=(28, 28))
    dataset.test_features[7] = dataset.train_features[70]
    assert in_both_splits(dataset) == 1


@needs_mnist
@pytest.mark.parametrize("image_shape", [(28, 28), (32, 32, 3)])
def test_real_mnist(image_shape):
    dataset = data.load("mnist", str(REAL_MNIST), image_shape=image_shape)
    check_is_for_a_model(dataset, image_shape)
    if image_shape == (32, 32, 3):
        plain = data.load("mnist", str(REAL_MNIST), image_shape=(28, 28))
        for channel in range(3):
            inside = dataset.test_features[:, 2:30, 2:30, channel]
            np.testing.assert_array_equal(inside, plain.test_features)
        assert dataset.test_features.sum() == 3 * plain.test_features.astype(np.int64).sum()


def test_unknown_name():
    with pytest.raises(data.DataError, match=r"'minst'. Choose one of digits, mnist, cifar10, syn"):
        data.load("minst", image_shape=(28, 28))


def test_cifar10_is_not_cut_to_a_grey_model_and_nothing_is_read_for_it():
    with pytest.raises(data.DataError, match=r"'cifar10' has images of shape \(32, 32, 3\).*28"):
        data.load("cifar10", "/no/such/folder", image_shape=(28, 28))


@pytest.mark.parametrize("name", ["digits", "synthetic"])
def test_a_folder_for_a_data_set_without_files(name, tmp_path):
    with pytest.raises(data.DataError, match=f"{name}' reads no files.*choose mnist or cifar10"):
        data.load(name, str(tmp_path), image_shape=(28, 28))


@pytest.mark.parametrize("image_shape", [(28,), (28, 0), (1, 28, 28, 1), (28, -28), (28, 28.0)])
def test_image_shape_that_is_none(image_shape):
    with pytest.raises(data.DataError, match="expected \\(height, width\\)"):
        data.load("digits", image_shape=image_shape)


def test_regression():
    dataset = data.load_regression(seed=3)
    assert dataset.name == "synthetic"
    assert dataset.train_features.shape == (4096, 10)


def test_regression_by_an_unknown_name():
    with pytest.raises(data.DataError, match="'digits' for a regression. There is one"):
        data.load_regression("digits")


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_the_docstrings(module):
    failed, _ = doctest.testmod(importlib.import_module(f"modern.data.{module}"))
    assert failed == 0


def test_package_example():
    failed, tried = doctest.testmod(data)
    assert (failed, tried) == (0, 4)


def test_tensorflow_is_not_imported():
    code = (
        "import sys; from modern import data; data.load('digits', image_shape=(28, 28));"
        "sys.exit(any(m.split('.')[0] in ('tensorflow', 'tf_keras', 'keras') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
