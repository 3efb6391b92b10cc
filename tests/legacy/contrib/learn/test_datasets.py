"""Tests of CSV headers, downloads, datasets by name, and batches of MNIST."""

import numpy as np
import pytest

from legacy.contrib.learn import datasets
from legacy.contrib.learn.datasets import base, mnist


@pytest.mark.parametrize("lines", ["1,2,0\n", "1,2,0\n3,4,1\n5,6,0\n"])
def test_a_header_that_does_not_fit(tmp_path, lines):
    path = tmp_path / "data.csv"
    path.write_text("2,2,a,b\n" + lines)
    with pytest.raises(ValueError, match="data.csv: .*header"):
        base.load_csv_with_header(str(path), np.int64, np.float32)


def test_a_download_happens_once_and_leaves_nothing_when_it_fails(tmp_path):
    source = tmp_path / "source.txt"
    source.write_text("first")
    folder = tmp_path / "to"
    path = base.maybe_download("file.txt", str(folder), source.as_uri())
    source.write_text("second")
    assert base.maybe_download("file.txt", str(folder), source.as_uri()) == path
    assert (folder / "file.txt").read_text() == "first"
    with pytest.raises(OSError, match="No such file"):
        base.maybe_download("other.txt", str(folder), (tmp_path / "none").as_uri())
    assert [each.name for each in folder.iterdir()] == ["file.txt"]


def write_mnist(folder, train, test):
    arrays = {
        "x_train": np.arange(train * 784, dtype=np.uint32).reshape(train, 28, 28) % 256,
        "y_train": np.arange(train) % 10,
        "x_test": np.zeros((test, 28, 28)),
        "y_test": np.arange(test) % 10,
    }
    np.savez(folder / "mnist.npz", **{k: v.astype("uint8") for k, v in arrays.items()})


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


def test_dbpedia_from_files_that_are_there(tmp_path, monkeypatch):
    monkeypatch.setenv("TF_EXP_BASE_DIR", str(tmp_path))
    folder = tmp_path / "dbpedia_data" / "dbpedia_csv"
    folder.mkdir(parents=True)
    for name, count in (("train.csv", 2500), ("test.csv", 1200)):
        lines = [f'{i % 14 + 1},"T{i}","Text, {i}"\n' for i in range(count)]
        (folder / name).write_text("".join(lines))
    data = datasets.load_dataset("dbpedia", size="large")
    assert (data.train.data.shape, data.test.data.shape) == ((2500, 2), (1200, 2))
    assert data.validation is None
    small = datasets.load_dataset("dbpedia")
    assert small.train.data.tolist()[1] == ["T1000", "Text, 1000"]
    assert (small.train.target.tolist(), small.train.target.dtype) == ([1, 7, 13], "int32")
    fake = datasets.load_dataset("dbpedia", test_with_fake_data=True)
    assert (fake.train.data.shape, fake.test.target.tolist()) == ((3, 2), [2])
