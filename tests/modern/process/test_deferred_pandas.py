"""Tests of a deferred import, of an example package and, in a new process, of pandas by Keras."""

import importlib
import importlib.util
import os
import subprocess
import sys

import pytest

from modern.process import deferred_pandas
from tests.cluster import core

IN_TENSORFLOW = """
import sys
from modern.process import quiet_import
quiet_import.import_tensorflow()
assert "pandas" not in sys.modules
from tf_keras.src.engine import data_adapter
import numpy as np
print(data_adapter._is_pandas_series(np.zeros(2)))
import pandas
print(data_adapter._is_pandas_series(pandas.Series([1])), data_adapter.pd is pandas)
print(data_adapter.pd.DataFrame is pandas.DataFrame)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Returns the name of a package that is deferred."""
    folder = tmp_path / "deferred_example"
    folder.mkdir()
    (folder / "__init__.py").write_text("size = 3\n")
    (folder / "part.py").write_text("size = 4\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(deferred_pandas, "_NAME", "deferred_example")
    yield folder.name
    for name in [name for name in sys.modules if name.startswith(folder.name)]:
        del sys.modules[name]


def test_an_import_in_the_block_waits_for_the_first_use(package):
    with deferred_pandas.held():
        module = importlib.import_module(package)
        assert not hasattr(module, "__file__")
    assert package not in sys.modules
    assert module.size == 3
    assert sys.modules[package].size == 3


def test_a_search_in_the_block_finds_the_package(package):
    """torch searches for pandas, and fails if the module has no spec."""
    with deferred_pandas.held():
        found = importlib.util.find_spec(package)
        assert found.origin.endswith("__init__.py")
        assert package in sys.modules  # It still waits for its first use.


def test_an_import_after_the_block_is_not_deferred(package):
    with deferred_pandas.held():
        module = importlib.import_module(package)
    itself = importlib.import_module(package)
    itself.size = 5
    assert module.size == 5
    assert module.__file__ == itself.__file__


def test_a_use_in_the_block_imports_the_package(package):
    with deferred_pandas.held():
        assert importlib.import_module(package).size == 3
        assert importlib.import_module(f"{package}.part").size == 4
    assert sys.modules[package].part.size == 4


def test_an_import_of_a_part_in_the_block_imports_the_package(package):
    with deferred_pandas.held():
        assert importlib.import_module(f"{package}.part").size == 4
    assert sys.modules[package].part.size == 4


def test_a_package_that_is_imported_already_stays(package):
    itself = importlib.import_module(package)
    with deferred_pandas.held():
        assert importlib.import_module(package) is itself
    assert importlib.import_module(package) is itself


def test_a_package_that_is_not_installed_stays_unknown(monkeypatch):
    monkeypatch.setattr(deferred_pandas, "_NAME", "deferred_missing")
    with deferred_pandas.held(), pytest.raises(ImportError):
        importlib.import_module("deferred_missing")


def test_no_value_is_of_a_class_of_a_broken_package(package, tmp_path):
    (tmp_path / package / "__init__.py").write_text("import deferred_missing\n")
    with deferred_pandas.held():
        module = importlib.import_module(package)
    assert not isinstance(1, module.Series)


def test_keras_sees_frames_of_pandas():
    pytest.importorskip("pandas")
    environment = core.whole_environment(os.environ)
    done = subprocess.run(
        [sys.executable, "-c", IN_TENSORFLOW],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["False", "True", "False", "True"], done.stderr
