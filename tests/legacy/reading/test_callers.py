"""Tests that tell code of the program from code of a library."""

import functools
import sys
import sysconfig
from unittest import mock

import pytest

from legacy.reading import callers

STANDARD = sysconfig.get_path("stdlib")


def asks(file, name="module"):
    """Returns the decision about a caller whose code is in `file`."""
    space = {"__file__": file, "__name__": name, "see": lambda: sys._getframe(1)}
    exec(compile("def ask(): return see()", file or "<typed>", "exec"), space)
    if not file:
        del space["__file__"]
    return callers.in_program(space["ask"]())


@pytest.fixture(autouse=True)
def folders(monkeypatch):
    monkeypatch.setattr(callers, "_folders", dict(callers._folders))
    monkeypatch.setattr(callers, "_kinds", {})


@pytest.mark.parametrize(
    ("file", "name", "expected"),
    [
        ("/jobs/old.py", "__main__", True),
        ("/jobs/model.py", "model", True),
        (None, "__main__", True),
        ("<ipython-input-3>", "__main__", True),
        ("/v/lib/python3.11/site-packages/hub/a.py", "hub.a", False),
        ("/usr/lib/python3/dist-packages/hub.py", "hub", False),
        (callers.__file__, "legacy.reading.callers", False),
        ("/elsewhere/tensorflow_estimator/x.py", "tensorflow_estimator.x", False),
        ("/elsewhere/tf_keras/x.py", "tf_keras.x", False),
        (mock.__file__, "unittest.mock", True),
        ("/v/site-packages/_pytest/monkeypatch.py", "_pytest.monkeypatch", True),
    ],
)
def test_files(file, name, expected):
    assert asks(file, name) is expected


def test_environment_beside_the_program_is_a_library():
    callers.add_program_folder("/jobs")
    assert asks("/jobs/package/model.py")
    assert not asks("/jobs/.venv/lib/python3.11/site-packages/hub/a.py")


def test_program_installed_among_libraries():
    folder = "/v/lib/python3.11/site-packages/bert"
    assert not asks(f"{folder}/run.py")
    callers.add_program_folder(folder)
    assert asks(f"{folder}/run.py")
    assert not asks("/v/lib/python3.11/site-packages/hub.py")


def test_one_file_among_libraries():
    callers.add_program_folder("/v/site-packages/job.py")
    assert asks("/v/site-packages/job.py")
    assert not asks("/v/site-packages/hub.py")


@pytest.mark.parametrize(
    ("file", "folder", "own"),
    [
        ("/jobs/bert/run.py", "/jobs", "/jobs"),
        ("/v/site-packages/bert/run.py", "/v/site-packages", "/v/site-packages/bert"),
        ("/v/site-packages/bert/run.py", "/v/site-packages/bert", "/v/site-packages/bert"),
        ("/v/site-packages/job.py", "/v/site-packages", "/v/site-packages/job.py"),
        ("/v/site-packages/tensorflow/tools/a.py", "/v/site-packages", ""),
        (f"{STANDARD}/unittest/__main__.py", STANDARD, ""),
    ],
)
def test_own_part(file, folder, own):
    assert callers.own_part(file, folder) == own


def test_standard_library_asks_for_its_caller():
    standard = f"{sysconfig.get_path('stdlib')}/mock.py"
    assert asks(standard) is asks(__file__) is True
    library = {"__file__": "/v/site-packages/hub.py", "ask": functools.partial(asks, standard)}
    exec(compile("found = ask()", "/v/site-packages/hub.py", "exec"), library)
    # This file's `asks` stands between them, and it belongs to the program.
    assert library["found"]


def test_autograph_asks_for_the_function_that_it_converts():
    api = "/v/site-packages/tensorflow/python/autograph/impl/api.py"
    name = "tensorflow.python.autograph.impl.api"
    assert asks(api, name)


@pytest.mark.parametrize("is_copy", [True, False], ids=["copy", "own package of that name"])
def test_another_copy_of_the_toolkit_is_a_library(tmp_path, is_copy):
    package = tmp_path / "legacy" / "reading"
    package.mkdir(parents=True)
    if is_copy:
        (package / "callers.py").touch()
    file = str(tmp_path / "legacy" / "contrib.py")
    assert callers.is_of_program(file, str(tmp_path)) is not is_copy
    assert callers.is_of_program(str(tmp_path / "job.py"), str(tmp_path))
