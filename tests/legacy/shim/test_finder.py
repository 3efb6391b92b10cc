"""Tests of the finder of old modules. tests/legacy/test_run.py imports them in programs."""

import importlib
import sys

import pytest

from legacy.names import left_out
from legacy.shim import finder, modules


def test_other_modules_are_left_to_other_finders():
    finds = finder.Finder("v1", "ours")
    for name in ("os", "tensorflow", "tensorflow_hub", "tensorflow.python.framework.ops"):
        assert finds.find_spec(name) is None


def test_a_removed_module_is_served():
    spec = finder.Finder("v1", "ours").find_spec(
        "tensorflow.contrib.training.python.training.hparam"
    )
    module = spec.loader._module
    assert isinstance(module, modules.Served)
    assert module.HParams.__module__ == "legacy.contrib.training.hparam"


@pytest.mark.parametrize(
    ("api", "name", "message"),
    [
        ("v1", "tensorflow.contrib.kafka", "tf.contrib.kafka is not provided: "),
        ("v1", "tensorflow.contrib.no_such", "tf.contrib.no_such is not provided: "),
        (
            "v2",
            "tensorflow.contrib.layers",
            "No module named 'tensorflow.contrib.layers': .*--api=v1",
        ),
    ],
)
def test_what_nothing_provides_is_an_error(api, name, message):
    with pytest.raises(left_out.NotProvidedImportError, match=message):
        finder.Finder(api, "ours").find_spec(name)


def test_a_module_is_completed_once_after_its_import(tmp_path, monkeypatch):
    (tmp_path / "watched_by_finder.py").write_text("value = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    finds = finder.Finder("v1", "ours")
    finds.after_import["watched_by_finder"] = lambda module: setattr(
        module, "value", module.value + 1
    )
    monkeypatch.setattr(sys, "meta_path", [finds, *sys.meta_path])
    module = importlib.import_module("watched_by_finder")
    assert module.value == 2
    assert importlib.reload(module).value == 1
    del sys.modules["watched_by_finder"]
