"""Tests that setup.cfg allows the versions between the ends of the matrix, and no others."""

import configparser
import re

import pytest

from tests.matrix import cells, page, recorded
from tests.matrix.environment import EXTRAS, ROOT

RESULTS = recorded.read()
PACKAGES = ("tensorflow", "tf-keras", "tensorboard", "keras")


def options():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    return config["options"]


def bounds(requirement):
    """Returns the lower bound of a requirement and the one that it stays below."""
    return re.fullmatch(r"[\w-]*>=([\d.]+),<([\d.]+)", requirement).groups()


def following(version):
    """Returns the minor version after a version."""
    major, minor = version.split(".")[:2]
    return f"{major}.{int(minor) + 1}"


def stated(package):
    (requirement,) = re.findall(rf"^{package}>=.*$", options()["install_requires"], re.MULTILINE)
    return bounds(requirement)


@pytest.mark.parametrize("package", ["tensorflow", "tf-keras", "tensorboard"])
def test_the_bounds_are_the_tested_versions_of_tensorflow(package):
    tested = sorted({cell.tensorflow for cell in RESULTS if recorded.is_passed(RESULTS[cell])})
    assert stated(package) == (tested[0], following(tested[-1]))


def test_the_bounds_of_keras_are_the_tested_versions():
    lowest, newest = (RESULTS[cell]["versions"]["keras"] for cell in page.keras_ends(RESULTS))
    assert stated("keras") == (lowest.removesuffix(".0"), following(newest))


def test_the_bounds_of_python_are_the_tested_versions():
    tested = sorted({cell.python for cell in RESULTS if recorded.is_passed(RESULTS[cell])})
    assert bounds(options()["python_requires"]) == (tested[0], following(tested[-1]))


def test_a_bound_that_was_not_tested_is_seen():
    assert bounds(">=3.10,<3.15")[1] != following("3.13")


def test_no_recorded_cell_failed():
    assert set(RESULTS) <= set(cells.all_cells())
    assert [str(cell) for cell, result in RESULTS.items() if not recorded.is_passed(result)] == []


def test_a_way_that_failed_is_seen():
    assert not recorded.is_passed({"ways": {"single": "passed", "bridge": "failed"}})
    assert not recorded.is_passed({"not_tested": "no python3.13"})


def test_the_readme_installs_the_same_extras():
    assert f"pip install '.[{EXTRAS}]'" in (ROOT / "README.md").read_text()


def test_the_ends_come_first_and_each_cell_once():
    listed = [*cells.all_cells()]
    assert len(listed) == len(set(listed)) == 1 + sum(map(len, cells.PYTHONS.values()))
    assert listed[1:3] == [cells.Cell("3.10", "2.16"), cells.Cell("3.13", "2.21")]
    assert listed[3:5] == [cells.Cell("3.12", "2.16"), cells.Cell("3.12", "2.17")]


def test_some_cells_are_selected():
    assert len(cells.selected("3.13", None, None)) == 2
    assert [cell.keras for cell in cells.selected("3.12", "2.18", None)] == ["3.6.0", "newest"]
    assert cells.selected("3.13", "2.16", None) == []
