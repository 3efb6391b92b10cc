"""Tests of the environments: what is installed, and why one cannot be made."""

import os
import pathlib

import pytest

from tests import interpreters
from tests.matrix import environment
from tests.matrix.cells import Cell


def test_the_versions_of_a_cell_are_required():
    wheel = pathlib.Path("/tmp/estimator_ladder-1-py3-none-any.whl")
    package, *rest = environment.requirements(Cell("3.12", "2.18", "3.6.0"), wheel)
    assert package == f"estimator-ladder[migrate,compare] @ file://{wheel}"
    assert rest == ["tensorflow==2.18.*", "tf-keras==2.18.*", "keras==3.6.0"]
    assert environment.requirements(Cell("3.12", "2.18"), wheel)[1:] == rest[:2]


@pytest.mark.parametrize(("code", "is_found"), [(0, True), (127, False)])
def test_a_shim_without_its_python_is_passed_over(tmp_path, monkeypatch, code, is_found):
    shim = tmp_path / "python3.99"
    shim.write_text(f"#!/bin/sh\nexit {code}\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert interpreters.find("3.99") == (str(shim) if is_found else None)


def test_a_missing_python_is_named(tmp_path):
    assert interpreters.find("3.99") is None
    with pytest.raises(environment.NotTested, match=r"no python3\.99 on the path or in pyenv"):
        environment.install(Cell("3.99", "2.18"), tmp_path, tmp_path)
