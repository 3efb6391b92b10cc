"""Tests of TensorFlow names that a file uses through other files."""

import pytest

from legacy.reading import local_modules

EXPORTED = {
    "job/train.py": {},
    "job/utils.py": {"tf": "tensorflow", "layers": "@.deep.layers", "hidden": ""},
    "job/deep.py": {"layers": "tensorflow.layers"},
    "job/stars.py": {"*0": "@utils", "hidden": ""},
    "job/loop.py": {"tf": "@loop.tf"},
    "lib/far/away.py": {"tf": "tensorflow.compat.v1"},
    "other/lib/near.py": {"tf": "tensorflow"},
}


@pytest.fixture
def modules():
    return local_modules.LocalModules(EXPORTED, dict.fromkeys(EXPORTED, "job"), ["other/lib"])


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("tensorflow.train", "tensorflow.train"),
        ("numpy.train", None),
        ("@utils.tf.train", "tensorflow.train"),
        ("@.utils.layers.dense", "tensorflow.layers.dense"),
        ("@stars.tf", "tensorflow"),
        ("@stars.hidden", None),
        ("@utils.*.tf.train", "tensorflow.train"),
        ("@near.tf", "tensorflow"),
        ("@far.away.tf", "tensorflow.compat.v1"),
        ("@loop.tf", None),
        ("@absent.tf", None),
    ],
)
def test_full_name(modules, value, name):
    assert modules.full_name("job/train.py", value) == name


def test_file_of_an_import(modules):
    assert modules.file_of("job/train.py", ".deep") == "job/deep.py"
    assert modules.file_of("job/train.py", "numpy") is None
    assert modules.find("job/train.py", "utils.tf.train") == ("job/utils.py", "tf.train")


def test_heads_are_the_first_parts_of_names():
    assert local_modules.heads(["job/train.py", "./a/b/__init__.py", "notes.txt"]) == {
        *("job", "train", "a", "b", "__init__")
    }
